from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.http import Request
from penstock.extractor.base.numbers import Float
from penstock.extractor.records.columns import Column, Rows
from penstock.extractor.records.page import Page
from penstock.extractor.requests.pagination import Step, Stop
from penstock.extractor.requests.pagination.cursor import Cursor
from tests.unit.extractor.requests.pagination.model import method_of, walk

ORDERS = Request("orders", {"since": "last", "state": "open"})
CURSOR = Cursor(id_key="id", param="since", increment=1)


def page_of(*ids: Any) -> Page:
    return Page([{"id": id_} for id_ in ids])


def position_after(*ids: Any) -> Any:
    step = CURSOR.after(ORDERS, None, page_of(*ids))
    assert isinstance(step, Step)
    return step.position


def test_the_first_request_is_the_job_itself():
    assert CURSOR.first(ORDERS) == Step(ORDERS, None)


def test_the_cursor_takes_the_place_of_the_jobs_parameter():
    step = CURSOR.after(ORDERS, None, page_of(3, 9, 4))

    assert isinstance(step, Step)
    assert step == Step(Request("orders", {"since": 10, "state": "open"}), 9)
    assert list(step.request.params) == ["since", "state"]


def test_a_walk_goes_on_from_a_saved_position():
    assert CURSOR.after(ORDERS, 20, page_of(9)) == Step(Request("orders", {"since": 21, "state": "open"}), 20)


def test_a_page_without_records_is_the_last():
    assert CURSOR.after(ORDERS, 20, page_of()) == Stop("No data in response, stopping scrolling.")


@pytest.mark.parametrize(
    ("value", "number"),
    [
        ("8", 8),
        (" 8", 8),
        ("1e3", 1000),
        ("1e0003", 1000),
        ("-7.9", -7),
        (".5", 0),
        (Float("2.7"), 2),
        (12345678901234567890123, 12345678901234567890123),
        ("12345678901234567890123", 12345678901234567890123),
    ],
)
def test_numbers_and_numeric_text_are_cut_to_whole_numbers(value: Any, number: int):
    assert position_after(value) == number


MONSTERS = [10**4299, "9" * 4301, "9" * 999 + "e9999", Float("1e999999999"), Float("9" * 2000 + ".5")]


@pytest.mark.parametrize(
    "value", [None, True, "abc", "8 ", "0x1A", "", "1e9999", "Infinity", "nan", [1], {"a": 1}, *MONSTERS]
)
def test_anything_else_is_the_users_error(value: Any):
    with pytest.raises(UserError, match=r"^Cursor value '.*' is not numeric"):
        position_after(1, value)


@given(st.text(st.sampled_from("0123456789eE+-. "), max_size=30))
def test_any_text_is_a_number_that_can_be_sent_or_the_users_error(text: str):
    with suppress(UserError):
        assert str(position_after(text) + 1)


def test_a_record_that_is_no_object_is_the_users_error():
    with pytest.raises(UserError, match="is not numeric"):
        CURSOR.after(ORDERS, None, Page([1, 2]))


@pytest.mark.parametrize("has_columns", [False, True])
def test_a_path_leads_into_objects_even_if_a_key_is_spelled_like_it(has_columns: bool):
    records = [{"a.b": 9, "a": {"b": 5}}]
    page = Page(Rows(records, lambda: Column(records)) if has_columns else records)
    step = Cursor(id_key="a.b", param="since").after(ORDERS, None, page)

    assert isinstance(step, Step)
    assert step.position == 5


@pytest.mark.parametrize("name", ["idKey", "param"])
def test_required_settings_are_told_by_name(name: str):
    settings = {"idKey": "id", "param": "since", name: "0"}

    with pytest.raises(UserError, match=rf"^Missing 'pagination\.{name}' attribute required for cursor pagination"):
        method_of(method="cursor", **settings)


@pytest.mark.parametrize(("setting", "increment"), [(None, 0), ("-1", -1), (2.0, 2), (Float("2.0"), 2), (0, 0)])
def test_an_increment_is_a_whole_number(setting: Any, increment: int):
    assert method_of(method="cursor", idKey="id", param="p", increment=setting) == Cursor(
        id_key="id", param="p", increment=increment
    )


@pytest.mark.parametrize("setting", ["one", "", 1.5, "1.5", True, [1], {"a": 1}, "9" * 5000, float("inf")])
def test_any_other_increment_is_refused(setting: Any):
    with pytest.raises(UserError, match=r"whole number, got .* - at `parameters\.api\.pagination\.increment`"):
        method_of(method="cursor", idKey="id", param="p", increment=setting)


def test_the_cursor_goes_to_a_path_within_the_parameters():
    method = method_of(method="cursor", idKey="id", param="after", paramsWithin="variables")
    step = method.after(Request("graphql", {"query": "{ x }"}), None, page_of(7))

    assert step == Step(Request("graphql", {"query": "{ x }", "variables": {"after": 7}}), 7)


@given(ids=st.sets(st.integers(-50, 50)), size=st.integers(1, 7), reverse=st.booleans())
def test_a_walk_reads_each_item_exactly_once_in_either_direction(ids: set[int], size: int, reverse: bool):
    items = sorted(ids, reverse=reverse)
    cursor = Cursor(id_key="id", param="from", increment=-1 if reverse else 1, reverse=reverse)

    def api(request: Request) -> Page:
        start = request.params.get("from")
        return page_of(*[id_ for id_ in items if start is None or (id_ <= start if reverse else id_ >= start)][:size])

    assert walk(cursor, Request("orders"), api).items == items
