from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from penstock.extractor.http import Page, Request
from penstock.extractor.pagination import Offset, OnePage, Step
from penstock.extractor.pagination.method import Method
from penstock.extractor.pagination.walk import Repeated, read_pages

USERS = Request("users")


def walk(method: Method, pages: Sequence[Page], resume: Step | None = None) -> list[Step]:
    left, steps = iter(pages), list[Step]()

    async def fetch(_request: Request) -> Page:
        return next(left)

    async def collect() -> None:
        async for step, _page in read_pages(method, USERS, fetch, resume):
            steps.append(step)

    asyncio.run(collect())
    return steps


def test_a_walk_ends_when_the_method_says_so():
    assert [step.position for step in walk(Offset(limit=1), [Page([1], b"[1]"), Page([2], b"[2]"), Page([])])] == [
        0,
        1,
        2,
    ]


def test_without_pagination_there_is_one_page():
    assert walk(OnePage(), [Page([1])]) == [Step(USERS)]


def test_a_walk_goes_on_from_a_saved_step():
    method = Offset(limit=1)

    assert [step.position for step in walk(method, [Page([1], b"[1]"), Page([])], method.ahead(USERS, 6))] == [7, 8]


@pytest.mark.parametrize("again", [b'[{"a": 1.0}]', b' [ {"\\u0061":1.0} ]'])
def test_a_repeated_response_ends_the_walk(again: bytes):
    with pytest.raises(Repeated):
        walk(Offset(limit=1), [Page([{"a": "1.0"}], b'[{"a":1.0}]'), Page([{"a": "1.0"}], again)])


@pytest.mark.parametrize("other", [b'[{"a": 1.00}]', b'[{"a": "1.0"}]', b'[{"a": 1.0}, 2]'])
def test_a_response_that_only_looks_alike_goes_on(other: bytes):
    pages = [Page([{"a": "1.0"}], b'[{"a":1.0}]'), Page([{"a": "1.0"}], other), Page([])]

    assert len(walk(Offset(limit=1), pages)) == 3
