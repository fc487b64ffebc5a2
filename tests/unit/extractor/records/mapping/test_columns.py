from __future__ import annotations

from typing import Any

import pytest

from penstock.extractor.base.numbers import Float
from tests.unit.extractor.records.mapping.writing import (
    ID,
    column,
    map_batches,
    map_rows,
    refusal,
    table,
)


def test_columns_stand_in_the_order_of_the_mapping_and_nothing_else_is_written():
    rows = [{"id": 1, "name": "Ada", "born": {"city": "London"}}, {"id": 2, "other": 3}]

    assert map_rows({"born.city": "city", "id": "ID", "name": "name"}, *rows, extra={"parent_id": 5}) == {
        "users": [["city", "ID", "name"], ["London", "1", "Ada"], ["", "2", ""]]
    }


def test_cells_are_rendered_as_everywhere():
    values = [None, True, False, 12, Float("1.50"), 'say "hi"', "two\nlines"]

    assert map_rows({"a": "a"}, *({"a": value} for value in values))["users"][1:] == [
        *([""], ["1"], [""], ["12"], ["1.5"], ['say "hi"'], ["two\nlines"])
    ]


def test_every_cell_is_quoted():
    assert map_batches({"a": "a", "b": "b"}, [{"a": 1, "b": 'q"'}]).lines == {"users": '"1","q"""\n'}


@pytest.mark.parametrize(
    ("key", "more", "value"),
    [
        ("a.b", {}, "deep"),
        ("a/b", {"delimiter": "/"}, "deep"),
        ("x.y", {"delimiter": "/"}, "dotted"),
        ("x.y", {}, ""),
        ("a->b", {"delimiter": "->"}, "deep"),
        ("list.1", {}, "two"),
        ("list.9", {}, ""),
        ("list.2.k", {}, "in"),
        ("a.b.c", {}, ""),
        ("", {}, "unnamed"),
        ("nothing.at.all", {}, ""),
    ],
)
def test_a_key_is_a_path(key: str, more: dict[str, str], value: str):
    row = {"a": {"b": "deep"}, "x.y": "dotted", "list": ["one", "two", {"k": "in"}], "": "unnamed"}

    assert map_rows({key: column("cell", **more)}, row)["users"][1:] == [[value]]


@pytest.mark.parametrize(("key", "cells"), [(".", ["a", "5", ""]), ("", ["a", "5", ""]), ("a", ["", "", ""])])
def test_rows_may_be_no_objects(key: str, cells: list[str]):
    assert map_rows({key: column("cell")}, "a", 5, None)["users"][1:] == [[cell] for cell in cells]


def test_rows_may_be_lists():
    mapping = {"0": column("first"), "1": column("second")}

    assert map_rows(mapping, ["a", "b"], [None, 2], [], {"0": "key"})["users"][1:] == [
        *(["a", "b"], ["", "2"], ["", ""], ["key", ""])
    ]


@pytest.mark.parametrize("value", [{"b": "x/y"}, {}, [1, None], []])
def test_with_force_type_lists_and_objects_are_json_text(value: Any):
    cells = {str(value): cell for value, cell in [({"b": "x/y"}, '{"b":"x\\/y"}'), ({}, "{}"), ([1, None], "[1,null]")]}

    rows = map_rows({"a": column("a", forceType=True)}, {"a": value}, {"a": "text"}, {"a": None}, {})["users"]

    assert rows[1:] == [[cells.get(str(value), "[]")], ["text"], [""], [""]]


@pytest.mark.parametrize("value", [{"k": 1}, {}, [1], []])
def test_without_force_type_they_are_refused(value: Any):
    rows = [{"a": 1, "b": 2}, {"a": value, "b": 3, "c": value}]

    assert refusal({"a": "A", "b": "B", "c": "C"}, *rows).startswith(
        "Error saving 'users' data to CSV column: Error writing 'A,C' column: Cannot write data into column: "
    )


def test_the_refusal_shows_a_part_of_the_value_and_the_remedy():
    message = refusal({"a": "a"}, {"a": ["x" * 500]})

    assert '["xxx' in message
    assert "x" * 198 in message
    assert "x" * 199 not in message
    assert message.endswith("Set `forceType` to true next to its `mapping` to write JSON text.")


def test_a_refused_value_in_a_child_table_names_the_data_type():
    mapping = {**ID, "tags": table("labels", {"name": "label"})}

    assert refusal(mapping, {"id": 1, "tags": [{"name": {}}]}).startswith(
        "Error saving 'users' data to CSV column: Error writing 'label' column: "
    )


def test_user_columns_come_from_the_extra_columns_of_the_batch():
    user = {"type": "user"}
    mapping = {
        **ID,
        "parent_id": column("parent", **user),
        "parent_info.id": column("info", **user),
        "deep/er": column("deep", **user),
        "none": column("none", **user),
    }
    extra = {"parent_id": 7, "parent_info.id": True, "deep": {"er": Float("2.50")}}

    assert map_rows(mapping, {"id": 1, "parent_id": "not this"}, extra=extra)["users"] == [
        ["id", "parent", "info", "deep", "none"],
        ["1", "7", "1", "2.5", ""],
    ]


def test_a_user_column_is_there_in_child_tables_too():
    mapping = {**ID, "tags": table("tags", {".": "tag", "day": column("day", type="user")})}

    tables = map_rows(mapping, {"id": 1, "tags": ["a"]}, extra={"day": "monday"})

    assert tables["tags"] == [["tag", "day", "users_pk"], ["a", "monday", "1"]]


def test_a_map_in_a_user_column_is_json_with_force_type_and_never_shown_otherwise():
    entry = {"x": column("x", type="user", forceType=True)}
    plain = {"x": column("x", type="user")}

    assert map_rows(entry, {}, extra={"x": {"a": {}}})["users"][1:] == [['{"a":[]}']]
    message = refusal(plain, {}, extra={"x": {"a": "hidden"}})
    assert message.startswith("Error saving 'users' data to CSV column: Error writing 'x' column: Cannot write")
    assert "hidden" not in message
