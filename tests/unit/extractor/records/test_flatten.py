from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from penstock.extractor.decode import decode
from penstock.extractor.errors import UserError
from penstock.extractor.numbers import Float
from penstock.extractor.records.flatten import Flattener, Layout
from penstock.extractor.records.tree import Tree
from tests.unit.extractor.records import reference

Table = tuple[list[str], list[list[str]]]


def flatten(*pages: list[Any]) -> dict[str, Table]:
    """Table name → header and rows."""
    return {layout.name: read_csv(layout, text) for layout, text in written(*pages).items()}


def written(*pages: list[Any]) -> dict[Layout, str]:
    tree, texts = Tree(), dict[Layout, str]()

    def emit(layout: Layout, lines: str) -> None:
        texts[layout] = texts.get(layout, "") + lines

    for page in pages:
        tree.learn("users", page, lambda message, item: None)
    flattener = Flattener(tree, emit)
    for page in pages:
        write = flattener.write_in_turn if flattener.is_renaming else flattener.write
        write("users", page)
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


def test_an_object_that_later_becomes_a_list_keeps_the_names_of_its_columns():
    tables = flatten([{"box": {"size": 1}}], [{"box": [{"size": 2, "colour": "red"}]}])

    assert tables["users"][0] == ["box"]
    assert tables["users_box"][0] == ["box_size", "colour", "JSON_parentId"]
    assert [row[:2] for row in tables["users_box"][1]] == [["1", ""], ["2", "red"]]


def test_a_list_in_a_list_is_text():
    told: list[str] = []
    tree = Tree()
    tree.learn("rows", [{"grid": [[1, 2.5], ["a/b"]]}], lambda message, item: told.append(message))

    assert told == ["Converting nested array 'rows.[].grid.[]' to JSON string."]
    tables = flatten([{"grid": [[1, Float("2.50")], ["a/b"]]}])
    assert [row[0] for row in tables["users_grid"][1]] == ["[1,2.50]", '["a\\/b"]']


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


def test_documents_of_500_levels_are_flattened_or_refused_in_a_sentence():
    deep: Any = 1
    for _ in range(200):
        deep = {"a": deep}

    (header,) = {tuple(table[0]) for table in flatten([deep]).values()}

    assert len(header) == 1


keys = st.sampled_from(["id", "a", "b", "a.b", "a_b", "_x", "x", "é", "JSON.parentId", "[]"])
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r"), max_size=5) | st.sampled_from(
    ['"', 'a"b', "a\nb", ","]
)
floats = st.floats(allow_nan=False, allow_infinity=False).map(lambda value: Float(repr(value)))
scalars = st.none() | st.booleans() | st.integers() | floats | texts
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=4), max_leaves=12
)
records = st.lists(st.dictionaries(keys, values, max_size=5), min_size=1, max_size=5)


@given(records)
@settings(max_examples=400, deadline=None)
def test_any_records_are_flattened_as_the_rules_say(records: list[Any]):
    try:
        expected = reference.flatten("users", records)
    except reference.Incompatible:
        with pytest.raises(UserError):
            flatten(records)
        return
    assume(all(len(name) < 60 for _, header in expected for name in header))
    found = {(layout.path, layout.header): read_csv(layout, text)[1] for layout, text in written(records).items()}
    assert found == expected


@given(records)
@settings(max_examples=200, deadline=None)
def test_a_document_survives_its_json_text(records: list[Any]):
    from penstock.extractor.json_text import json_text

    assert decode(json_text(records).encode()).document == records
