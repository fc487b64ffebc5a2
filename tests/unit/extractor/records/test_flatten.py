from __future__ import annotations

import csv
import io
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.cli.extract import RECURSION_LIMIT
from penstock.extractor.base.errors import UserError
from penstock.extractor.base.numbers import Float
from penstock.extractor.records.columns import Column
from penstock.extractor.records.extras import Extras
from penstock.extractor.records.flatten import Flattener
from penstock.extractor.records.layout import Layout
from penstock.extractor.records.row_ids import row_id
from penstock.extractor.records.tree import MAX_NESTED, Tree
from tests.support.examples import examples

Table = tuple[list[str], list[list[str]]]


def flatten(*pages: list[Any]) -> dict[str, Table]:
    """Table name → header and rows."""
    return {layout.name: read_csv(layout, text) for layout, text in written(*pages).items()}


def written(*pages: list[Any]) -> dict[Layout, str]:
    tree, texts = Tree(), dict[Layout, str]()

    def emit(layout: Layout, lines: bytes, _count: int) -> None:
        texts[layout] = texts.get(layout, "") + lines.decode()

    for page in pages:
        tree.learn("users", Column(page), lambda message, item: None)
    flattener = Flattener(tree, Extras(), emit)
    for page in pages:
        flattener.write("users", Column(page), {})
    return texts


def read_csv(layout: Layout, text: str) -> Table:
    return list(layout.header), list(csv.reader(io.StringIO(text, newline="")))


def test_members_of_objects_become_columns_where_the_object_first_appeared():
    tables = flatten([{"id": 1, "name": {"first": "Ada"}, "age": 36}, {"name": {"last": "King"}, "id": 2}])

    assert tables == {
        "users": (["id", "name_first", "name_last", "age"], [["1", "Ada", "", "36"], ["2", "", "King", ""]])
    }


def test_a_column_that_a_later_page_brings_is_empty_before():
    assert flatten([{"a": 1}], [{"a": 2, "b": 3}]) == {"users": (["a", "b"], [["1", ""], ["2", "3"]])}


def test_a_list_becomes_a_table_linked_by_the_id_of_its_row():
    tables = flatten([{"id": 123, "name": "John Doe", "tags": ["active", "admin"]}])

    link = "users_3ca896f39b257a4f2d2f4784e7680c87"
    assert tables["users"] == (["id", "name", "tags"], [["123", "John Doe", link]])
    assert tables["users_tags"] == (["data", "JSON_parentId"], [["active", link], ["admin", link]])


def test_null_and_empty_lists_link_to_nothing():
    tables = flatten([{"tags": []}, {"tags": None}, {}])

    assert tables == {"users": (["tags"], [[""], [""], [""]])}


def test_a_null_beside_a_list_does_no_harm():
    tables = flatten([{"tags": ["a"]}, {"tags": None}])

    assert tables["users_tags"][0] == ["data", "JSON_parentId"]
    assert tables["users_tags"][1][0][0] == "a"


def test_a_single_value_beside_lists_is_a_list_of_one():
    tables = flatten([{"tags": "a"}, {"tags": ["b", "c"]}])

    assert [row[0] for row in tables["users_tags"][1]] == ["a", "b", "c"]


def test_an_object_that_later_becomes_a_list_has_columns_called_like_those_of_lists():
    tables = flatten([{"box": {"size": 1}}], [{"box": [{"size": 2, "colour": "red"}]}])

    assert tables["users"][0] == ["box"]
    assert tables["users_box"][0] == ["size", "colour", "JSON_parentId"]
    assert [row[:2] for row in tables["users_box"][1]] == [["1", ""], ["2", "red"]]


@pytest.mark.parametrize("is_one_page", [True, False])
def test_keys_of_the_first_list_go_before_those_of_the_objects_before_it(is_one_page: bool):
    records = [
        {"box": {"size": 1, "side": 2}},
        {"box": [{"colour": "red", "size": 2}, {"shade": 3}]},
        {"box": [{"late": 4}]},
    ]
    tables = flatten(records) if is_one_page else flatten(*([record] for record in records))

    assert tables["users_box"][0] == ["colour", "size", "shade", "side", "late", "JSON_parentId"]


def test_keys_of_objects_before_an_empty_list_stay_first():
    tables = flatten([{"box": {"size": 1}}, {"box": []}, {"box": [{"colour": "red"}]}])

    assert tables["users_box"][0] == ["size", "colour", "JSON_parentId"]


def test_a_name_that_an_object_needs_no_more_is_free():
    """`box_size` was the name of a column of `users` on the first page only."""
    tables = flatten([{"box": {"size": 1}}], [{"box": [{"size": 2}], "box_size": 3}])

    assert tables["users"][0] == ["box", "box_size"]


def test_a_list_in_a_list_is_text():
    told: list[str] = []
    tree = Tree()
    tree.learn("rows", Column([{"grid": [[1, 2.5], ["a/b"]]}]), lambda message, item: told.append(message))

    assert told == ["Converting nested array 'rows.[].grid.[]' to JSON string."]
    tables = flatten([{"grid": [[1, Float("2.50")], ["a/b"]]}])
    assert [row[0] for row in tables["users_grid"][1]] == ["[1,2.5]", '["a\\/b"]']


def test_names_that_become_equal_are_numbered():
    tables = flatten([{"first_second": 1, "first": {"second": ["x"]}, "first.second": 2}])

    assert tables["users"][0] == ["first_second", "first_second_u0", "first_second_u1"]


def test_a_data_column_called_like_the_link_keeps_its_name():
    tables = flatten([{"a": [{"JSON_parentId": "mine"}], "b": [{"x": 1}]}])

    assert tables["users_a"][0] == ["JSON_parentId", "JSON_parentId_u0"]
    assert tables["users_a"][1][0][0] == "mine"
    assert tables["users_b"][0] == ["x", "JSON_parentId_u0"]


def test_a_record_of_the_root_may_have_a_key_like_the_link():
    tables = flatten([{"JSON_parentId": 1, "o": {"JSON_parentId": 2}, "a": [3]}])

    assert tables["users"][0] == ["JSON_parentId", "o_JSON_parentId", "a"]
    assert tables["users_a"][0] == ["data", "JSON_parentId"]


def test_scalar_records_have_one_column():
    assert flatten([1, "x", None, True]) == {"users": (["data"], [["1"], ["x"], [""], ["1"]])}


def test_a_null_record_among_objects_is_a_row_of_empty_cells():
    assert flatten([{"a": 1}, None]) == {"users": (["a"], [["1"], [""]])}


def test_records_without_any_key_are_blank_lines():
    assert written([{}, {}]) == {Layout("users", "users", ()): "\n\n"}


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ([{"a": 1}, {"a": {"b": 1}}], 'nodeType change from "scalar" to "object" in "users.[].a"'),
        (
            [{"a": [1]}, {"a": [{"b": 1}]}],
            "Data array in 'users.[].a' contains incompatible types 'scalar' and 'object'",
        ),
        ([{"a": [1, {"b": 1}]}], "Data array in 'users.[].a' contains incompatible types 'scalar' and 'object'"),
        ([1, {"a": 1}], "Data array in 'users' contains incompatible types 'scalar' and 'object'"),
    ],
)
def test_values_that_fit_no_common_type_are_the_users_error(records: list[Any], message: str):
    with pytest.raises(UserError) as caught:
        flatten(records)

    assert message in str(caught.value)


def test_objects_without_members_have_no_column_but_hold_their_name():
    assert flatten([{"a": {}, "b": 1}]) == {"users": (["b"], [["1"]])}
    assert flatten([{"a": {"b": 1}, "a.b": 2, "a_b": 3}])["users"][0] == ["a_b", "a_b_u0", "a_b_u1"]


def test_columns_found_later_stand_within_the_group_of_their_object():
    tables = flatten([{"id": 1, "address": {"street": "x"}, "age": 2}], [{"address": {"city": "y"}}])

    assert tables["users"][0] == ["id", "address_street", "address_city", "age"]


def test_a_list_in_an_object_is_linked_by_the_id_of_the_object():
    row = {"members": {"count": "1", "tags": ["x"]}}
    tables = flatten([row])

    link = row_id("users.members", row["members"], row_id("users", row))
    assert tables["users"] == (["members_count", "members_tags"], [["1", link]])
    assert tables["users_members_tags"] == (["data", "JSON_parentId"], [["x", link]])


def test_a_list_in_a_list_of_objects_is_linked_by_the_id_of_its_item_with_the_link_in_it():
    row = {"contacts": [{"type": "a", "phones": [1]}]}
    tables = flatten([row])

    outer = row_id("users", row)
    inner = row_id("users.contacts", {**row["contacts"][0], "JSON_parentId": outer})
    assert tables["users_contacts"] == (["type", "phones", "JSON_parentId"], [["a", inner, outer]])
    assert tables["users_contacts_phones"] == (["data", "JSON_parentId"], [["1", inner]])


def test_null_items_are_rows_too():
    assert [row[0] for row in flatten([{"a": [None, 1]}])["users_a"][1]] == ["", "1"]


def test_a_renamed_link_stays_renamed_from_the_row_on_where_the_clash_is():
    """In the first row the clash comes after `a`; the second row's `a` links under the new name already."""
    tables = flatten([{"a": [{"x": [1]}], "b": [{"JSON_parentId": 5}]}, {"a": [{"x": [2]}]}])

    assert tables["users_a"][0] == ["x", "JSON_parentId"]
    assert tables["users_b"][0] == ["JSON_parentId", "JSON_parentId_u0"]
    (_first, link), (second, above) = tables["users_a"][1]
    assert second == row_id("users.a", {"x": [2], "JSON_parentId_u0": above})
    assert link != above


def test_rows_that_are_lists_are_json_text():
    assert flatten([[1, "a"], "x"]) == {"users": (["data"], [['[1,"a"]'], ["x"]])}


@given(st.lists(st.dictionaries(st.sampled_from("ab"), st.lists(st.integers(0, 3), max_size=2)), min_size=1))
@examples(50)
def test_a_row_links_to_exactly_its_items(records: list[dict[str, list[int]]]):
    tables = flatten(records)

    for key, number in ((key, number) for key in "ab" for number in range(4)):
        wanted = sum(items.count(number) for record in records for name, items in record.items() if name == key)
        _header, rows = tables.get(f"users_{key}", ([], []))
        assert [row[0] for row in rows].count(str(number)) == wanted


@pytest.mark.parametrize("kind", ["list", "object"])
def test_records_may_have_so_many_levels_and_no_more(kind: str):
    sys.setrecursionlimit(RECURSION_LIMIT)
    record: Any = 1
    for _ in range(MAX_NESTED - 1):
        record = [record] if kind == "list" else {"a": record}

    assert flatten([record])
    with pytest.raises(UserError, match="Maximum stack depth exceeded"):
        flatten([[record] if kind == "list" else {"a": record}])
