from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from penstock.extractor.http import Page, Request
from penstock.extractor.pagination import Method, OnePage, Step
from penstock.extractor.pagination.offset import Offset
from penstock.extractor.pagination.walk import Repeated, read_pages
from penstock.foundation import clock
from tests.unit.extractor.pagination.model import method_of

USERS = Request("users")


def walk(
    method: Method, pages: Sequence[Page], resume: Step | None = None, told: list[str] | None = None
) -> list[Step]:
    left, steps = iter(pages), list[Step]()

    async def fetch(_request: Request) -> Page:
        return next(left)

    async def collect() -> None:
        tell = (told if told is not None else []).append
        async for step, _page in read_pages(method, USERS, fetch, tell, resume):
            steps.append(step)

    asyncio.run(collect())
    return steps


def test_a_walk_ends_when_the_method_says_so_and_tells_why():
    told: list[str] = []
    steps = walk(Offset(limit=1), [Page([1], b"[1]"), Page([2], b"[2]"), Page([])], told=told)

    assert [step.position for step in steps] == [0, 1, 2]
    assert told == ["Offset limit reached, stopping scrolling."]


def test_without_pagination_there_is_one_page_and_nothing_to_tell():
    told: list[str] = []

    assert walk(OnePage(), [Page([1])], told=told) == [Step(USERS)]
    assert told == []


def test_a_walk_goes_on_from_a_saved_step():
    method = Offset(limit=1)

    assert [step.position for step in walk(method, [Page([1], b"[1]"), Page([])], method.ahead(USERS, 6))] == [7, 8]


def test_time_is_up_by_what_was_done_with_a_page(monkeypatch: pytest.MonkeyPatch):
    times = iter([datetime.fromtimestamp(at, UTC) for at in (1000, 1009, 1010)])
    monkeypatch.setattr(clock, "source", lambda: next(times))
    method = method_of(method="pagenum", forceStop={"time": 10})
    pages = [Page([at], f"{at}".encode(), asked=1000, received=1000) for at in range(9)]

    assert len(walk(method, pages)) == 3


@pytest.mark.parametrize("again", [b'[{"a": 1.0}]', b' [ {"\\u0061":1.0} ]', b'[{"a": 1.00}]'])
def test_a_repeated_response_ends_the_walk(again: bytes):
    with pytest.raises(Repeated):
        walk(Offset(limit=1), [Page([{"a": "1.0"}], b'[{"a":1.0}]'), Page([{"a": "1.0"}], again)])


@pytest.mark.parametrize("other", [b'[{"a": "1.0"}]', b'[{"a": 1.0}, 2]'])
def test_a_response_that_only_looks_alike_goes_on(other: bytes):
    pages = [Page([{"a": "1.0"}], b'[{"a":1.0}]'), Page([{"a": "1.0"}], other), Page([])]

    assert len(walk(Offset(limit=1), pages)) == 3
