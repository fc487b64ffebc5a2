"""Pages taken apart into columns."""

from __future__ import annotations

from penstock.extractor.records.columns import Column


def test_members_stand_in_the_order_of_their_first_appearance():
    column = Column([{"b": 1}, None, {"a": 2, "b": 3}])

    assert {key: member.values for key, member in column.members.items()} == {"b": [1, None, 3], "a": [None, None, 2]}


def test_items_of_lists_stand_one_after_another():
    column = Column([[1, 2], None, [], [3]])

    assert column.is_lists
    assert column.listed.values == [1, 2, 3]


def test_a_key_that_no_row_has_is_a_column_of_nothing():
    assert Column([{"a": 1}, {"a": 2}]).member("b").values == [None, None]


def test_a_single_value_beside_lists_counts_as_a_list_of_one():
    column = Column(["a", ["b", "c"], None, []])

    assert column.sizes == [1, 2, 0, 0]
    assert column.items.values == ["a", "b", "c"]


def test_rows_are_taken_by_their_indexes():
    assert Column([{"a": 1}, {"a": 2}, {"a": 3}]).take([0, 2]).values == [{"a": 1}, {"a": 3}]


def test_a_new_member_comes_last_or_takes_the_place_of_one_of_its_name():
    alike = Column([{"a": 1, "b": 2}, {"a": 3, "b": 4}]).with_members({"c": [5, 6], "a": ["x", "y"]})
    unlike = Column([{"b": 1}, {"a": 2}]).with_members({"a": ["x", "y"]})

    assert {key: list(member.values) for key, member in alike.members.items()} == {
        "a": ["x", "y"],
        "b": [2, 4],
        "c": [5, 6],
    }
    assert unlike.values == [{"b": 1, "a": "x"}, {"a": "y"}]


def test_cells_are_made_once():
    column = Column([1, None])

    assert column.cells == ["1", ""]
    assert column.cells is column.cells
