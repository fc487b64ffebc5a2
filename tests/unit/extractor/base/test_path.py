from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.base.path import NotFound, get, look_up

ROW = {"a": {"b": [10, {"c": "x"}, None], "n": None, "": 1}, "a.b": "dotted", "0": "zero"}


@pytest.mark.parametrize(
    ("path", "delimiter", "value"),
    [
        ("a.b.0", ".", 10),
        ("a.b.1.c", ".", "x"),
        ("a/b/1/c", "/", "x"),
        ("a.b", "/", "dotted"),
        ("a.n", ".", None),
        ("a.", ".", 1),
        ("0", ".", "zero"),
        (".", ".", ROW),
        ("/", "/", ROW),
        ("a->b->0", "->", 10),
    ],
)
def test_a_path_leads_to_a_value(path: str, delimiter: str, value: Any):
    assert get(path, ROW, delimiter) == value


@pytest.mark.parametrize("path", ["", "x", "a.x", "a.b.3", "a.b.x", "a.b.-1", "a.b.01", "a.b.²", "a.b.0.c", "a.n.x"])
def test_a_path_may_lead_nowhere(path: str):
    assert look_up(path, ROW) is None
    with pytest.raises(NotFound):
        get(path, ROW)


def test_a_null_counts_as_there_in_an_object_but_not_in_a_list():
    assert get("a.n", ROW) is None
    with pytest.raises(NotFound):
        get("a.b.2", ROW)


@pytest.mark.parametrize("value", [None, 1, "text", True])
def test_nothing_is_below_a_single_value(value: Any):
    assert look_up("a", value) is None
    assert get(".", value) == value


@given(st.text(max_size=8), st.recursive(st.none() | st.integers(), lambda inner: st.lists(inner, max_size=3)))
def test_no_path_into_no_value_fails_otherwise(path: str, value: Any):
    look_up(path, value)
