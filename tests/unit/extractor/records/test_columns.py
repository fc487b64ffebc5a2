"""Pages taken apart into columns, and the serialized form of whole columns."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.numbers import Float
from penstock.extractor.records.columns import Column
from penstock.extractor.records.serialized import serialize, serialize_column

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(2**63 - 2, 2**63 + 2),
    st.floats(allow_nan=False, allow_infinity=False).map(lambda number: Float(repr(number))),
    st.text(max_size=4),
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=6,
)


@given(st.lists(values, max_size=6), st.sampled_from(["", "x"]))
def test_a_column_is_serialized_as_its_values_are(column: list[Any], start: str):
    assert serialize_column(Column(column), start) == [start + serialize(value) for value in column]


@given(st.lists(st.fixed_dictionaries({"a": values, "b": st.none() | values}), min_size=1, max_size=6))
def test_a_column_of_like_objects_is_serialized_as_they_are(rows: list[dict[str, Any]]):
    assert serialize_column(Column(rows)) == list(map(serialize, rows))


def test_members_stand_in_the_order_of_their_first_appearance():
    column = Column([{"b": 1}, None, {"a": 2, "b": 3}])

    assert {key: member.values for key, member in column.members.items()} == {"b": [1, None, 3], "a": [None, None, 2]}


def test_items_of_lists_stand_one_after_another():
    column = Column([[1, 2], None, [], [3]])

    assert column.is_lists
    assert column.listed.values == [1, 2, 3]


def test_a_key_that_no_row_has_is_a_column_of_nothing():
    assert Column([{"a": 1}, {"a": 2}]).member("b").values == [None, None]
