from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.json_text import json_text
from penstock.extractor.base.numbers import Float
from penstock.extractor.records.filter import Filter
from tests.support.examples import examples

VALUES: list[Any] = ["green", 5, True, False, None, "", 0, [], {}, [1, None], {"a": "x/é"}, Float("0.5")]


@pytest.mark.parametrize("value", VALUES)
def test_a_filtered_value_becomes_its_json_text(value: Any):
    assert Filter(("a",)).apply([{"a": value, "b": [1]}]) == [{"a": json_text(value), "b": [1]}]


def test_json_text_is_compact_and_escaped():
    assert Filter(("a",)).apply([{"a": {"u": "x/é", "n": [1, 2]}}]) == [{"a": '{"u":"x\\/\\u00e9","n":[1,2]}'}]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("green", "green"),
        (5, "5"),
        (True, "1"),
        (Float("1.50"), "1.5"),
        ({}, "{}"),
        ([0], "[0]"),
        ({"a": 1}, '{"a":1}'),
    ],
)
def test_up_to_level_2_a_single_value_only_becomes_text(value: Any, text: str):
    assert Filter(("a",), is_lenient=True).apply([{"a": value}]) == [{"a": text}]


@pytest.mark.parametrize("value", [None, False, 0, "", "0", [], Float("0.0")])
@pytest.mark.parametrize("path", ["a", "a[]", "a.b"])
def test_up_to_level_2_empty_values_are_left_alone(value: Any, path: str):
    assert Filter((path,), is_lenient=True).apply([{"a": value}]) == [{"a": value}]


def test_a_path_leads_through_objects():
    assert Filter(("a.b",)).apply([{"a": {"b": {"c": 1}, "d": 2}}]) == [{"a": {"b": '{"c":1}', "d": 2}}]


def test_brackets_mean_every_item_of_a_list():
    rows = [{"a": [{"p": {"x": 1}, "q": 1}, {"q": 2}, 3]}]

    assert Filter(("a[].p",)).apply(rows) == [{"a": [{"p": '{"x":1}', "q": 1}, {"q": 2}, 3]}]
    assert Filter(("a[]",)).apply([{"a": [{"x": 1}, "y", None]}]) == [{"a": ['{"x":1}', '"y"', "null"]}]


def test_brackets_may_stand_within_brackets():
    rows = [{"a": [{"b": [{"c": 1}]}, {"b": []}]}]

    assert Filter(("a[].b[].c",)).apply(rows) == [{"a": [{"b": [{"c": "1"}]}, {"b": []}]}]


def test_brackets_on_what_is_no_list_are_the_users_error():
    with pytest.raises(UserError, match=r"^Error filtering response\. 'a' is not an array\."):
        Filter(("a[].b",)).apply([{"a": {"b": 1}}])


@pytest.mark.parametrize("row", [{"b": 1}, {"a": True}, {"a": [1]}, {"a": None}, None, 5, [{"a": 1}]])
def test_a_path_that_leads_nowhere_changes_nothing(row: Any):
    assert Filter(("a.some",)).apply([row]) == [row]


def test_several_paths_are_taken_in_turn():
    rows = [{"a": {"b": 1}, "c": [1]}]

    assert Filter(("c", "a.b")).apply(rows) == [{"a": {"b": "1"}, "c": "[1]"}]
    assert Filter(("a", "a.b")).apply(rows) == [{"a": '{"b":1}', "c": [1]}]


def test_the_delimiter_may_be_another():
    rows = [{"a.b": {"c": [1]}, "list": [{"x.y": {}}]}]

    assert Filter(("a.b#c", "list[]#x.y"), "#").apply(rows) == [{"a.b": {"c": "[1]"}, "list": [{"x.y": "{}"}]}]


def test_the_records_themselves_are_not_touched():
    row = {"a": {"b": [1]}}

    Filter(("a.b",)).apply([row])

    assert row == {"a": {"b": [1]}}


keys = st.sampled_from(["a", "b", "a[]"])
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=8,
)
paths = st.lists(st.lists(st.sampled_from(["a", "b", "a[]", "b[]", ""]), min_size=1, max_size=3).map(".".join))


@given(st.lists(values, max_size=3), paths, st.booleans())
@examples(200)
def test_any_records_are_filtered_or_refused_in_a_sentence(records: list[Any], paths: list[str], is_lenient: bool):
    try:
        filtered = Filter(tuple(paths), is_lenient=is_lenient).apply(records)
    except UserError:
        return
    assert len(filtered) == len(records)
