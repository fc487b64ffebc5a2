"""The serialized form of whole columns is that of their values, one by one."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.base.numbers import Float
from penstock.extractor.records.columns import Column
from penstock.extractor.records.serialized import ConfigMap, serialize
from penstock.extractor.records.serialized_columns import serialize_column

floats = st.floats(allow_nan=False, allow_infinity=False).map(lambda number: Float(repr(number)))
odd_floats = st.sampled_from(["1e400", "-1.5e400", "-0.0", "1e5", "1.5E-7", "123456789012345678901.5", "0.1"]).map(
    Float
)
scalars = st.one_of(
    st.none(), st.booleans(), st.integers(), st.integers(2**63 - 2, 2**63 + 2), floats, odd_floats, st.text(max_size=4)
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", "é"]), inner, max_size=3),
    max_leaves=6,
)
alike = st.sampled_from(
    [
        st.text(max_size=4),
        st.integers(-(10**20), 10**20),
        floats | odd_floats,
        st.booleans(),
        st.lists(st.text(max_size=2), max_size=3),
        st.lists(st.fixed_dictionaries({"x": st.integers(), "ž": st.text(max_size=2)}), max_size=3),
        st.fixed_dictionaries({"x": st.none() | st.text(max_size=2), "y": st.lists(st.integers(), max_size=2)}),
    ]
)
"""What one column holds."""


def serialized(column: list[Any]) -> list[bytes]:
    return [serialize(value).encode() for value in column]


@given(st.lists(values, max_size=6))
def test_a_column_is_serialized_as_its_values_are(column: list[Any]):
    assert list(serialize_column(Column(column))) == serialized(column)


@st.composite
def like_rows(draw: st.DrawFn) -> list[dict[str, Any]]:
    fields = {key: draw(alike) for key in ("a", "b", "č")}
    nullable = draw(st.sets(st.sampled_from(list(fields))))
    row = {key: st.none() | held if key in nullable else held for key, held in fields.items()}
    return draw(st.lists(st.fixed_dictionaries(row), min_size=1, max_size=6))


@given(like_rows())
def test_a_column_of_like_objects_is_serialized_as_they_are(rows: list[dict[str, Any]]):
    assert list(serialize_column(Column(rows))) == serialized(rows)


@given(like_rows(), st.sampled_from(["a", "new"]))
def test_objects_with_more_members_are_serialized_as_if_they_had_them(rows: list[dict[str, Any]], key: str):
    links = [f"ř{index}" for index in range(len(rows))]
    whole = [{**row, key: link} for row, link in zip(rows, links, strict=True)]

    assert list(serialize_column(Column(rows).with_members({key: links}))) == serialized(whole)


@pytest.mark.parametrize(
    "column",
    [
        [2**63, -1, None],
        [-(2**63), -(2**63) - 1],
        [Float("-1.5e400"), Float("0.5")],
        [Float("1.5e300"), None, Float("1e3")],
        ["東京", "a", None],
    ],
)
def test_numbers_out_of_bounds_and_texts_of_other_alphabets_are_serialized_like_single_ones(column: list[Any]):
    assert list(serialize_column(Column(column))) == serialized(column)


@pytest.mark.parametrize("column", [[{}, {}], [[], []], [None, None], [ConfigMap(a=1), ConfigMap(b=2)], [0.5, 1e300]])
def test_columns_without_anything_to_share_are_serialized_too(column: list[Any]):
    assert list(serialize_column(Column(column))) == serialized(column)


def test_texts_of_every_size_are_told_apart():
    column = ["x" * size for size in range(1200)]

    assert list(serialize_column(Column(column))) == serialized(column)
    assert list(serialize_column(Column(column))) == serialized(column)
