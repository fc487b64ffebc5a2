from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.numbers import Float
from penstock.extractor.base.values import (
    as_json,
    as_map,
    deep_replace,
    is_empty,
    is_empty_value,
    is_list,
    to_text,
)

SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=3)
KEYS = st.text("ab", min_size=1, max_size=2)
MAPS = st.recursive(SCALARS, lambda inner: st.dictionaries(KEYS, inner, max_size=3), max_leaves=8)


@pytest.mark.parametrize("value", [None, False, 0, 0.0, Float("0.00"), Float("-0e5"), "", "0", [], {}])
def test_these_mean_that_nothing_is_set(value: Any):
    assert is_empty(value)
    assert is_empty_value(value) is (value != {})


@pytest.mark.parametrize("value", [True, 1, -0.5, Float("0.1"), "0.0", " ", "false", [0], {"a": None}])
def test_everything_else_means_something(value: Any):
    assert not is_empty(value)
    assert not is_empty_value(value)


def test_a_decimal_too_small_for_a_float_is_zero():
    assert is_empty(Float("1e-400"))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        (False, ""),
        (True, "1"),
        (5, "5"),
        (10**20, "100000000000000000000"),
        ("x", "x"),
        (1.0, "1"),
        (0.1, "0.1"),
        (1e20, "1.0E+20"),
        (-1.5e-7, "-1.5E-7"),
        (Float("1.50"), "1.5"),
        (Float("1e5"), "100000"),
        ([1], "Array"),
        ([], "Array"),
    ],
)
def test_the_text_of_a_value(value: Any, text: str):
    assert to_text(value) == text


def test_an_object_has_no_text():
    with pytest.raises(UserError, match="An object stands where a text or a number is needed"):
        to_text({"a": 1})


@pytest.mark.parametrize(
    ("value", "members"),
    [
        ({"a": 1}, {"a": 1}),
        (["x", "y"], {"0": "x", "1": "y"}),
        ([], {}),
        (None, {}),
        ("x", {}),
        (5, {}),
    ],
)
def test_a_configuration_does_not_tell_a_list_from_a_map(value: Any, members: dict[str, Any]):
    assert as_map(value) == members


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ([], True),
        ([1], True),
        ({}, True),
        ({"0": "x", "1": "y"}, True),
        ({"1": "x"}, False),
        ({"1": "x", "0": "y"}, False),
        ({"00": "x"}, False),
        ("x", False),
        (None, False),
    ],
)
def test_a_map_whose_keys_count_from_zero_is_a_list(value: Any, expected: bool):
    assert is_list(value) is expected


@pytest.mark.parametrize(
    ("old", "new", "merged"),
    [
        ({"a": 1, "b": 2}, {"b": 3, "c": 4}, {"a": 1, "b": 3, "c": 4}),
        ({"a": {"x": 1, "y": 2}}, {"a": {"y": 3}}, {"a": {"x": 1, "y": 3}}),
        ({"a": [1, 2, 3]}, {"a": [9]}, {"a": [9, 2, 3]}),
        ({"a": [1]}, {"a": [8, 9]}, {"a": [8, 9]}),
        ({"a": [1, 2]}, {"a": {"1": 9, "x": 3}}, {"a": {"0": 1, "1": 9, "x": 3}}),
        ({"a": {"x": 1}}, {"a": []}, {"a": {"x": 1}}),
        ({"a": {"x": 1}}, {"a": 5}, {"a": 5}),
        ({"a": {"x": 1}}, {"a": None}, {"a": None}),
        ({"a": 5}, {"a": {"x": 1}}, {"a": {"x": 1}}),
        ({"a": {"x": [1]}}, {"a": {"x": []}}, {"a": {"x": [1]}}),
    ],
)
def test_maps_are_merged_at_every_depth(old: Any, new: Any, merged: Any):
    assert deep_replace(old, new) == merged


@given(MAPS)
def test_merging_with_itself_or_with_nothing_changes_nothing(value: Any):
    assert deep_replace(value, value) == value
    assert deep_replace({}, {"a": value}) == {"a": value}
    assert deep_replace({"a": value}, {}) == {"a": value}


@given(MAPS, MAPS)
def test_what_is_new_wins_and_what_is_old_keeps_its_place(old: Any, new: Any):
    merged = deep_replace({"a": old}, {"a": new})

    assert deep_replace(merged, {"a": new}) == merged
    if isinstance(old, dict) and isinstance(new, dict):
        assert list(merged["a"])[: len(old)] == list(old)


@pytest.mark.parametrize(
    ("value", "sent"),
    [
        ({}, "[]"),
        ({"a": {}}, '{"a": []}'),
        ({"0": {"0": 1}}, "[[1]]"),
        ([{}, {"b": {}}], '[[], {"b": []}]'),
        ({"1": 1}, '{"1": 1}'),
        (None, "null"),
    ],
)
def test_a_map_without_keys_of_its_own_is_sent_as_a_list(value: Any, sent: str):
    assert json.dumps(as_json(value)) == sent
