from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest

from penstock.extractor.base.functions import evaluate, fixed
from penstock.extractor.base.functions.library import now
from penstock.foundation import clock

AT = datetime(2026, 1, 1, 12, tzinfo=UTC)
LATER = AT.timestamp() + 3600.9


@pytest.fixture(autouse=True)
def frozen(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(clock, "source", lambda: AT)


def test_without_a_word_it_is_what_the_clock_says():
    assert now() == int(AT.timestamp())


def test_inside_it_is_the_fixed_moment_and_afterwards_the_clock_again():
    with fixed(LATER):
        assert now() == int(LATER)
        with fixed(7.0):
            assert now() == 7
        assert now() == int(LATER)

    assert now() == int(AT.timestamp())


def test_an_error_inside_does_not_leave_the_moment_behind():
    with pytest.raises(ZeroDivisionError), fixed(LATER):
        raise ZeroDivisionError

    assert now() == int(AT.timestamp())


@pytest.mark.parametrize(
    ("function", "given"),
    [
        ({"function": "time"}, int(LATER)),
        ({"function": "date", "args": ["Y-m-d H:i:s"]}, "2026-01-01 13:00:00"),
        ({"function": "strtotime", "args": ["+1 hour"]}, int(LATER) + 3600),
    ],
)
def test_functions_go_by_the_fixed_moment(function: dict[str, object], given: object):
    with fixed(LATER):
        assert evaluate(function, {}) == given


def test_tasks_have_moments_of_their_own():
    async def look(moment: float) -> int:
        with fixed(moment):
            await asyncio.sleep(0)
            return now()

    async def both() -> list[int]:
        return list(await asyncio.gather(look(1), look(2)))

    assert asyncio.run(both()) == [1, 2]
