from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.errors import UserError
from penstock.extractor.http import Page, Request
from penstock.extractor.numbers import Float
from penstock.extractor.pagination import Cursor, Step

ORDERS = Request("orders", {"since": "last", "state": "open"})
CURSOR = Cursor(id_key="id", param="since", increment=1)


def page_of(*ids: Any) -> Page:
    return Page([{"id": id_} for id_ in ids])


def position_after(*ids: Any) -> Any:
    step = CURSOR.after(ORDERS, None, page_of(*ids))
    assert step
    return step.position


def test_the_first_request_is_the_job_itself():
    assert CURSOR.first(ORDERS) == Step(ORDERS, None)


def test_the_cursor_takes_the_place_of_the_jobs_parameter():
    step = CURSOR.after(ORDERS, None, page_of(3, 9, 4))

    assert step
    assert step == Step(Request("orders", {"since": 10, "state": "open"}), 9)
    assert list(step.request.params) == ["since", "state"]


def test_a_walk_goes_on_from_a_saved_position():
    assert CURSOR.after(ORDERS, 20, page_of(9)) == Step(Request("orders", {"since": 21, "state": "open"}), 20)


@pytest.mark.parametrize(
    ("value", "number"),
    [
        ("8", 8),
        (" 8", 8),
        ("1e3", 1000),
        ("-7.9", -7),
        (".5", 0),
        (Float("2.7"), 2),
        (12345678901234567890123, 12345678901234567890123),
        ("12345678901234567890123", 12345678901234567890123),
    ],
)
def test_numbers_and_numeric_text_are_cut_to_whole_numbers(value: Any, number: int):
    assert position_after(value) == number


@pytest.mark.parametrize("value", [None, True, "abc", "8 ", "0x1A", "", "1e9999", "Infinity", "nan", [1], {"a": 1}])
def test_anything_else_is_the_users_error(value: Any):
    with pytest.raises(UserError, match="is not numeric"):
        position_after(1, value)


def test_a_record_that_is_no_object_is_the_users_error():
    with pytest.raises(UserError, match="is not numeric"):
        CURSOR.after(ORDERS, None, Page([1, 2]))


@given(ids=st.sets(st.integers(-50, 50)), size=st.integers(1, 7), reverse=st.booleans())
def test_a_walk_reads_each_item_exactly_once(ids: set[int], size: int, reverse: bool):
    items, read = sorted(ids, reverse=reverse), list[int]()
    cursor = Cursor(id_key="id", param="from", increment=-1 if reverse else 1, reverse=reverse)
    job = Request("orders")
    step: Step | None = cursor.first(job)
    while step:
        start = step.request.params.get("from")
        left = [id_ for id_ in items if start is None or (id_ <= start if reverse else id_ >= start)]
        page = page_of(*left[:size])
        read += [record["id"] for record in page.records]
        step = cursor.after(job, step.position, page)

    assert read == items
