from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.http import Request
from penstock.extractor.records.page import Page
from penstock.extractor.requests.journal import JournalEntry
from penstock.extractor.requests.pagination import OnePage, Step
from penstock.extractor.requests.pagination.offset import Offset
from penstock.extractor.requests.pagination.walk import Repeated, Walk, WalkOptions
from penstock.foundation import clock
from tests.unit.extractor.requests.pagination.model import method_of
from tests.unit.extractor.requests.pagination.walking import USERS, Known, Walked, numbered

ALONE = WalkOptions(is_alone=True)


def limiter(count: int, *, is_alone: bool = True) -> WalkOptions:
    return WalkOptions(lambda: count, is_alone=is_alone)


def test_a_walk_ends_when_the_method_says_so_and_tells_why():
    walked = Walked(Offset(limit=1), Known(numbered(2)))

    assert [step.position for step in walked.steps] == [0, 1, 2]
    assert walked.reason == "Offset limit reached, stopping scrolling."


def test_without_pagination_there_is_one_page_and_nothing_to_tell():
    walked = Walked(OnePage(), Known([Page([1])]))

    assert walked.steps == [Step(USERS)]
    assert walked.reason == ""


@pytest.mark.parametrize("options", [None, ALONE])
def test_time_is_up_by_what_was_done_with_a_page(monkeypatch: pytest.MonkeyPatch, options: WalkOptions | None):
    times = iter([datetime.fromtimestamp(at, UTC) for at in (1000, 1009, 1010)])
    monkeypatch.setattr(clock, "source", lambda: next(times))
    method = method_of(method="pagenum", forceStop={"time": 10})
    pages = [Page([at], f"{at}".encode(), asked=1000, received=1000) for at in range(9)]

    assert len(Walked(method, Known(pages), options).steps) == 3


def test_time_that_passed_between_two_attempts_does_not_count(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(clock, "source", lambda: datetime.fromtimestamp(9000, UTC))
    method = method_of(method="pagenum", forceStop={"time": 10})
    pages = [Page([at], f"{at}".encode(), asked=1000, received=1000 + at) for at in range(9)]

    assert len(Walked(method, Known(pages, kept=frozenset(range(4)))).steps) == 4


@pytest.mark.parametrize("again", [b'[{"a": 1.0}]', b' [ {"\\u0061":1.0} ]'])
def test_a_repeated_response_ends_the_walk(again: bytes):
    with pytest.raises(Repeated):
        Walked(Offset(limit=1), Known([Page([{"a": "1.0"}], b'[{"a":1.0}]'), Page([{"a": "1.0"}], again)]))


@pytest.mark.parametrize("other", [b'[{"a": "1.0"}]', b'[{"a": 1.0}, 2]', b'[{"a":1.00}]', b'[{"a": 1.00}]'])
def test_a_response_that_only_looks_alike_goes_on(other: bytes):
    pages = [Page([{"a": "1.0"}], b'[{"a":1.0}]'), Page([{"a": "1.0"}], other), Page([])]

    assert len(Walked(Offset(limit=1), Known(pages)).steps) == 3


def order_of(options: WalkOptions) -> list[str]:
    """What happens in which order: `?` for a request, `!` for a page that is read."""
    happened: list[str] = []

    class Told(Known):
        async def ask(self, number: int, request: Request) -> JournalEntry:
            happened.append(f"{number}?")
            return await super().ask(number, request)

    async def walk() -> None:
        async for step, _page in Walk(Offset(limit=1), USERS, Told(numbered(2)), options):
            await asyncio.sleep(0)
            happened.append(f"{step.position}!")

    asyncio.run(walk())
    return happened


def test_a_page_with_jobs_below_it_is_done_before_the_next_is_asked_for():
    assert order_of(WalkOptions()) == ["0?", "0!", "1?", "1!", "2?", "2!"]


def test_a_page_that_needs_nothing_else_is_read_while_the_next_is_on_its_way():
    assert order_of(ALONE) == ["0?", "1?", "0!", "2?", "1!", "2!"]


@given(count=st.integers(0, 12), limit=st.integers(1, 6), is_alone=st.booleans())
def test_pages_fetched_ahead_come_in_their_order_and_are_asked_for_once(count: int, limit: int, is_alone: bool):
    walked = Walked(Offset(limit=1), Known(numbered(count)), limiter(limit, is_alone=is_alone))

    assert walked.records == list(range(count))
    assert sorted(set(walked.pages.asked)) == sorted(walked.pages.asked)
    assert walked.reason == "Offset limit reached, stopping scrolling."


@given(count=st.integers(0, 12), limit=st.integers(1, 6), is_alone=st.booleans())
def test_no_more_is_asked_for_in_vain_than_the_limit_allows(count: int, limit: int, is_alone: bool):
    walked = Walked(Offset(limit=1), Known(numbered(count)), limiter(limit, is_alone=is_alone))

    assert len(walked.pages.asked) <= len(walked.steps) + limit - 1
    if count == 0:
        assert walked.pages.asked == [0]


def test_a_page_that_comes_late_does_not_lose_its_place():
    pages = Known(numbered(6))
    pages.waits = {2: 0.02, 4: 0.01}

    walked = Walked(Offset(limit=1), pages, limiter(4))

    assert walked.records == [0, 1, 2, 3, 4, 5]
    assert pages.answered != sorted(pages.answered)


def test_an_error_beyond_the_end_is_none_and_one_before_it_is_told_in_its_turn():
    assert Walked(Offset(limit=1), Known(numbered(5)), limiter(4)).records == [0, 1, 2, 3, 4]

    with pytest.raises(UserError, match=r"There is no page 5\."):
        Walked(Offset(limit=1), Known(numbered(5)[:5]), limiter(4))


def test_what_is_fetched_ahead_is_what_would_have_been_asked_for_in_turn():
    method = method_of(method="pagenum", limit=1, forceStop={"pages": 6}, limitStop={"count": 5}, loopGuard=True)
    in_turn, ahead = Walked(method, Known(numbered(9))), Walked(method, Known(numbered(9)), limiter(3))

    assert ahead.steps == in_turn.steps
    assert ahead.reason == in_turn.reason == "Limit reached, stopping scrolling. Current count: 5, limit: 5"
    assert in_turn.pages.requests.items() <= ahead.pages.requests.items()


def test_methods_that_need_the_answer_ask_for_nothing_ahead():
    method = method_of(method="response.param", responseParam="next", queryParam="token")
    pages = [Page([at], f"{at}".encode(), {"next": at + 1} if at < 4 else {}) for at in range(5)]

    assert Walked(method, Known(pages), limiter(4)).pages.asked == [0, 1, 2, 3, 4]


def test_a_walk_that_is_left_lets_go_of_what_it_has_asked_for():
    pages = Known(numbered(9))
    pages.waits = dict.fromkeys(range(2, 10), 60.0)

    async def leave() -> int:
        walk = aiter(Walk(Offset(limit=1), USERS, pages, limiter(4)))
        await anext(walk)
        await anext(walk)
        before = len(asyncio.all_tasks())
        await walk.aclose()
        assert len(asyncio.all_tasks()) == 1
        return before

    assert asyncio.run(leave()) > 1


def test_where_an_earlier_attempt_has_ended_there_is_the_end():
    pages = Known([Page([at], f"{at}".encode()) for at in range(9)])
    pages.known_ends = {2: "Time was up."}

    walked = Walked(method_of(method="pagenum"), pages)

    assert (len(walked.steps), walked.reason) == (3, "Time was up.")


def test_the_end_of_a_walk_is_noted():
    pages = Known([Page([1], b"1"), Page([], b"2")])

    walked = Walked(method_of(method="pagenum"), pages)

    assert pages.ends == [(1, walked.reason)]
