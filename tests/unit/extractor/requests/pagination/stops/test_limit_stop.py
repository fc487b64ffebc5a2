from __future__ import annotations

from typing import Any

import pytest

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.http import Request
from penstock.extractor.base.numbers import Float
from penstock.extractor.records.page import Page
from penstock.extractor.requests.pagination import Step, Stop
from tests.unit.extractor.requests.pagination.model import method_of

JOB = Request("users")


def pages_read(size: int, document: Any = None, **limit: Any) -> int:
    """Of an API without end, `size` records at a time."""
    method, read = method_of(method="pagenum", limitStop=limit), 0
    step: Step | Stop = method.first(JOB)
    while isinstance(step, Step) and read < 50:
        read += 1
        step = method.after(JOB, step.position, Page([1] * size, document=document))
    return read


@pytest.mark.parametrize(("count", "pages"), [(1, 1), (2, 1), (3, 2), ("4", 2), (5, 3), (2.9, 1), (-1, 1)])
def test_the_page_that_reaches_the_count_is_the_last(count: Any, pages: int):
    assert pages_read(2, count=count) == pages


@pytest.mark.parametrize(
    ("value", "pages"),
    [(3, 2), ("3", 2), (" 5 of many", 3), ("1e1", 5), (Float("3.9"), 2), ("abc", 1), (None, 1), (True, 1), ([], 1)],
)
def test_the_response_may_say_how_many_there_are(value: Any, pages: int):
    assert pages_read(2, {"meta": {"total": value}}, field="meta.total") == pages


@pytest.mark.parametrize("document", [{}, [], None, {"meta": 1}])
def test_a_missing_limit_stops_after_the_first_page(document: Any):
    assert pages_read(2, document, field="meta.total") == 1


@pytest.mark.parametrize("monster", ["9" * 5000, Float("1e999999999"), 10**4299, "1e99999"], ids=range(4))
def test_a_monstrous_limit_is_never_reached(monster: Any):
    assert pages_read(1, {"total": monster}, field="total") == 50


def test_the_reason_tells_both_numbers():
    method = method_of(method="pagenum", limitStop={"count": 3})
    first = method.first(JOB)

    assert method.after(JOB, first.position, Page([1] * 4)) == Stop(
        "Limit reached, stopping scrolling. Current count: 4, limit: 3"
    )


@pytest.mark.parametrize(
    ("limit", "message"),
    [
        ({"count": 0}, "One of 'limitStop.field' or 'limitStop.count' attributes is required."),
        ({"other": 1}, "One of 'limitStop.field' or 'limitStop.count' attributes is required."),
        ("x", "One of 'limitStop.field' or 'limitStop.count' attributes is required."),
        ({"count": 1, "field": "a"}, "Specify only one of 'limitStop.field' or 'limitStop.count'"),
        ({"count": "many"}, "Invalid configuration: Expected a whole number"),
        ({"field": ["a"]}, "Invalid configuration: Expected a text"),
    ],
)
def test_mistakes_are_told_with_their_path(limit: Any, message: str):
    with pytest.raises(UserError) as raised:
        method_of(limitStop=limit)

    assert str(raised.value).startswith(message)
    assert "`parameters.api.pagination.limitStop" in str(raised.value)
