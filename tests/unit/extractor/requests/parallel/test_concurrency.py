from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.section import Section
from penstock.extractor.requests.parallel import ConcurrencyLimiter, Parallelism, read_parallelism

AUTO = Parallelism(16, 4)
QUICK = 0.01


def read(value: Any) -> Parallelism:
    return read_parallelism(Section({"parallelism": value}, "parameters.api"))


@pytest.mark.parametrize(
    ("value", "parallelism"),
    [
        (None, Parallelism(1, 1)),
        (1, Parallelism(1, 1)),
        (8, Parallelism(8, 8)),
        ("8", Parallelism(8, 8)),
        (100, Parallelism(100, 100)),
        ("auto", AUTO),
    ],
)
def test_the_configuration_says_how_many_requests_at_once(value: Any, parallelism: Parallelism):
    assert read(value) == parallelism


def test_without_a_word_there_is_one_request_at_a_time():
    assert read_parallelism(Section({}, "parameters.api")) == Parallelism()
    assert ConcurrencyLimiter().is_single
    assert not ConcurrencyLimiter(AUTO).is_single


@pytest.mark.parametrize("value", [0, -1, 101, 1.5, "", "many", "AUTO", True, False, [], {}, [1]])
def test_what_is_no_number_of_requests_is_the_users_error(value: Any):
    with pytest.raises(UserError, match=r'a whole number from 1 to 100, or "auto".*`parameters\.api\.parallelism`'):
        read(value)


class Traffic:
    """Requests that enter the limiter, and how many were inside at once."""

    def __init__(self, limiter: ConcurrencyLimiter) -> None:
        self.limiter = limiter
        self.most = self.now = 0
        self.began: list[int] = []

    async def drive(self, number: int, seconds: float = 0.0) -> None:
        async with self.limiter:
            self.began.append(number)
            self.now += 1
            self.most = max(self.most, self.now)
            try:
                await asyncio.sleep(seconds)
            finally:
                self.now -= 1

    def start(self, count: int, seconds: float = 0.0) -> list[asyncio.Task[None]]:
        return [asyncio.create_task(self.drive(number, seconds)) for number in range(count)]


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


@pytest.mark.parametrize("limit", [1, 3])
def test_no_more_are_on_their_way_than_the_limit_allows_and_they_go_in_the_order_they_came(limit: int):
    async def run() -> Traffic:
        traffic = Traffic(ConcurrencyLimiter(Parallelism(limit, limit)))
        await asyncio.gather(*traffic.start(10))
        return traffic

    traffic = asyncio.run(run())
    assert traffic.most == limit
    assert traffic.began == list(range(10))


def test_a_request_that_fails_leaves_its_lane():
    async def run() -> None:
        limiter = ConcurrencyLimiter(Parallelism(1, 1))
        for _ in range(3):
            with pytest.raises(ZeroDivisionError):
                await _fail(limiter)
        await asyncio.wait_for(Traffic(limiter).drive(0), 5)

    asyncio.run(run())


async def _fail(limiter: ConcurrencyLimiter) -> None:
    async with limiter:
        raise ZeroDivisionError


@given(st.lists(st.integers(0, 11), unique=True), st.integers(1, 4), st.integers(0, 6))
def test_whoever_does_not_want_to_wait_any_more_takes_no_lane_along(gone: list[int], limit: int, turns: int):
    """Wherever the cancelled ones are at that moment: waiting, admitted, inside, or done."""

    async def run() -> None:
        traffic = Traffic(ConcurrencyLimiter(Parallelism(limit, limit)))
        tasks = traffic.start(12)
        for _ in range(turns):
            await asyncio.sleep(0)
        for number in gone:
            tasks[number].cancel()
        await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), 5)
        traffic.most = 0
        await asyncio.wait_for(asyncio.gather(*traffic.start(6)), 5)
        assert traffic.most == limit

    asyncio.run(run())


def test_a_lane_that_was_given_to_somebody_who_left_goes_to_the_next():
    async def run() -> list[int]:
        limiter = ConcurrencyLimiter(Parallelism(1, 1))
        traffic = Traffic(limiter)
        await limiter.__aenter__()
        first, second = traffic.start(2)
        await settle()
        await limiter.__aexit__(None, None, None)
        first.cancel()  # called, but not yet on its way
        await asyncio.gather(first, second, return_exceptions=True)
        return traffic.began

    assert asyncio.run(run()) == [1]


def observed(limiter: ConcurrencyLimiter, *responses: tuple[int, float]) -> ConcurrencyLimiter:
    for status, seconds in responses:
        limiter.observe(status, seconds)
    return limiter


@pytest.mark.parametrize("status", [429, 503, 0])
def test_an_api_that_has_had_enough_or_does_not_answer_halves_the_limit(status: int):
    limiter = ConcurrencyLimiter(Parallelism(16, 16))

    assert limits(limiter, [(status, 0.0)] * 6) == [8, 4, 2, 1, 1, 1]


def test_requests_that_were_on_their_way_together_halve_the_limit_once():
    limiter = ConcurrencyLimiter(Parallelism(16, 16))

    assert limits(limiter, [(429, 60.0)] * 16) == [8] * 16


@pytest.mark.parametrize("status", [200, 404, 500, 502])
def test_other_answers_are_no_reason_to_slow_down(status: int):
    assert observed(ConcurrencyLimiter(Parallelism(8, 8)), *[(status, QUICK)] * 20).limit == 8


def limits(limiter: ConcurrencyLimiter, responses: Sequence[tuple[int, float]]) -> list[int]:
    return [observed(limiter, response).limit for response in responses]


def test_while_all_is_well_the_limit_doubles_after_every_round_up_to_the_most():
    assert limits(ConcurrencyLimiter(AUTO), [(200, QUICK)] * 30) == [*[4] * 3, *[8] * 8, *[16] * 19]


def test_after_a_setback_they_grow_one_by_one():
    limiter = observed(ConcurrencyLimiter(AUTO), (429, QUICK))

    assert limits(limiter, [(200, QUICK)] * 9) == [2, 3, 3, 3, 4, 4, 4, 4, 5]


def test_answers_that_get_slow_lower_the_limit():
    limiter = observed(ConcurrencyLimiter(Parallelism(8, 8)), *[(200, 0.1)] * 8)

    assert observed(limiter, *[(200, 1.0)] * 4).limit < 8
    assert observed(limiter, *[(200, 1.0)] * 30).limit == 1


def test_one_slow_answer_among_quick_ones_is_no_reason():
    limiter = observed(ConcurrencyLimiter(Parallelism(8, 8)), *[(200, 0.1)] * 8)

    assert observed(limiter, (200, 0.9), *[(200, 0.1)] * 8).limit == 8


def test_answers_within_a_few_hundredths_of_a_second_are_never_slow():
    assert observed(ConcurrencyLimiter(Parallelism(8, 8)), (200, 0.001), *[(200, 0.04)] * 50).limit == 8


def test_one_quick_answer_does_not_make_all_others_slow_for_ever():
    limiter = observed(ConcurrencyLimiter(Parallelism(8, 8)), (200, 0.001))

    assert observed(limiter, *[(200, 0.3)] * 600).limit == 8


def test_a_limit_that_grows_calls_those_who_wait():
    async def run() -> int:
        limiter = ConcurrencyLimiter(Parallelism(16, 2))
        traffic = Traffic(limiter)
        tasks = traffic.start(10, 60.0)
        await settle()
        assert traffic.now == 2
        observed(limiter, (200, QUICK), (200, QUICK))
        await settle()
        now = traffic.now
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return now

    assert asyncio.run(run()) == 4


def test_a_limit_that_shrinks_lets_those_on_their_way_finish_and_calls_fewer():
    async def run() -> list[int]:
        limiter = ConcurrencyLimiter(Parallelism(4, 4))
        traffic = Traffic(limiter)
        tasks = traffic.start(12)
        await asyncio.sleep(0)
        observed(limiter, (503, QUICK))
        before, traffic.most = traffic.most, 0
        await asyncio.gather(*tasks[:4])
        traffic.most = traffic.now
        await asyncio.gather(*tasks)
        return [before, traffic.most]

    assert asyncio.run(run()) == [4, 2]


@given(st.lists(st.tuples(st.sampled_from([200, 404, 429, 503, 0]), st.floats(0.0, 5.0)), max_size=60))
def test_there_is_always_a_lane_and_never_more_than_the_most(responses: list[tuple[int, float]]):
    for parallelism in (Parallelism(3, 3), AUTO):
        assert all(1 <= limit <= parallelism.most for limit in limits(ConcurrencyLimiter(parallelism), responses))
