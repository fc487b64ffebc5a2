from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.errors import WrongParam
from penstock.extractor.http import Page, Request
from penstock.extractor.pagination import Offset, Step

USERS = Request("users")


def page_of(count: int) -> Page:
    return Page([{"id": number} for number in range(count)])


def params_of(step: Step | None) -> dict[str, Any]:
    assert step
    return step.request.params


def test_offset_moves_by_limit_and_stops_after_a_short_page():
    offset = Offset(limit=2)

    assert params_of(offset.first(USERS)) == {"limit": 2, "offset": 0}
    assert params_of(offset.after(USERS, 0, page_of(2))) == {"limit": 2, "offset": 2}
    assert offset.after(USERS, 2, page_of(1)) is None


def test_steps_ahead_do_not_depend_on_pages():
    offset = Offset(limit=2)

    assert offset.ahead(USERS, 4) == offset.after(USERS, 4, page_of(2))


def test_a_page_larger_than_asked_for_goes_on():
    assert params_of(Offset(limit=2).after(USERS, 0, page_of(3))) == {"limit": 2, "offset": 2}


@pytest.mark.parametrize("empty", [None, "", "0", 0, []])
def test_an_empty_page_size_of_the_job_counts_as_not_given(empty: Any):
    job = Request("users", {"limit": empty})

    assert params_of(Offset(limit=7).first(job)) == {"limit": 7, "offset": 0}


@pytest.mark.parametrize("value", ["many", -1, [1], {"a": 1}, "1.5"])
def test_a_page_size_of_the_job_that_is_no_number_is_refused(value: Any):
    with pytest.raises(WrongParam, match="whole number of at least 1"):
        Offset(limit=7).first(Request("users", {"limit": value}))


@given(total=st.integers(0, 40), limit=st.integers(1, 9), start=st.integers(0, 12))
def test_a_walk_reads_each_item_exactly_once(total: int, limit: int, start: int):
    items, read, requests = list(range(total)), list[int](), 0
    offset, job = Offset(limit=limit, offset_from_job=True), Request("users", {"offset": start})
    step: Step | None = offset.first(job)
    while step:
        at = step.request.params["offset"]
        page = Page(items[at : at + limit])
        read += page.records
        requests += 1
        step = offset.after(job, step.position, page)

    assert read == items[start:]
    assert requests == len(items[start:]) // limit + 1
