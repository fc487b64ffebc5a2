from __future__ import annotations

import hashlib
from typing import Any

import pytest

from penstock.extractor.base.numbers import Float
from penstock.extractor.records.serialized import serialize, serialize_config
from tests.unit.extractor.records.mapping.writing import (
    DISABLED,
    ID,
    TAGS,
    column,
    map_batches,
    map_rows,
    refusal,
    table,
)


def md5(text: str) -> str:
    return hashlib.md5(text.encode()).hexdigest()


def test_without_a_key_parent_and_child_share_a_hash_of_the_row():
    row = {"id": 1, "tags": ["a", "b"]}
    link = md5(serialize(row))

    assert map_rows({"id": "id", **TAGS}, row) == {
        "users": [["id", "tags"], ["1", link]],
        "tags": [["tag", "users_pk"], ["a", link], ["b", link]],
    }


def test_the_hash_covers_the_extra_columns():
    row, extra = {"tags": ["a"]}, {"day": "monday", "7": 1}

    assert map_rows(TAGS, row, extra=extra)["users"][1:] == [[md5(serialize(row) + serialize_config(extra))]]


@pytest.mark.parametrize("value", [None, [], "", "0", 0, False, Float("0.0")])
def test_without_a_key_nothing_is_written_for_an_empty_value(value: Any):
    assert map_rows({"id": "id", **TAGS}, {"id": 1, "tags": value}) == {"users": [["id", "tags"], ["1", ""]]}


def test_an_empty_object_is_an_item():
    row = {"home": {}}
    link = md5(serialize(row))

    assert map_rows({"home": table("homes", {"street": "street"})}, row) == {
        "users": [["homes"], [link]],
        "homes": [["street", "users_pk"], ["", link]],
    }


def test_with_a_key_the_child_holds_it_and_the_parent_has_no_link():
    mapping = {"a": column("a", primaryKey=True), "b": column("b", primaryKey=True), **TAGS}
    rows = [{"a": "John", "b": Float("1.50"), "tags": ["x"]}, {"a": True, "tags": "y"}]

    assert map_rows(mapping, *rows) == {
        "users": [["a", "b"], ["John", "1.5"], ["1", ""]],
        "tags": [["tag", "users_pk"], ["x", "John,1.5"], ["y", "1,"]],
    }


def test_with_a_key_a_missing_value_is_a_child_row_and_an_empty_list_only_a_table():
    assert map_rows({**ID, **TAGS}, {"id": 1}, {"id": 2, "tags": None})["tags"][1:] == [["", "1"], ["", "2"]]
    assert map_rows({**ID, **TAGS}, {"id": 1, "tags": []})["tags"] == [["tag", "users_pk"]]


def test_a_user_column_can_be_a_key():
    key = {"type": "user", "mapping": {"destination": "day", "primaryKey": True}}

    assert map_rows({"day": key, **TAGS}, {"tags": ["x"]}, extra={"day": "monday"})["tags"][1:] == [["x", "monday"]]


@pytest.mark.parametrize("more", [{}, {"forceType": True}])
def test_a_key_must_be_scalar(more: dict[str, Any]):
    mapping = {"id": column("id", primaryKey=True), "k": column("k", primaryKey=True, **more), **TAGS}

    assert refusal(mapping, {"id": None, "k": {"x": 1}, "tags": []}) == (
        "Bad Json to CSV Mapping configuration: Only scalar values are allowed in primary key. "
        'Primary key: ["",{"x":1}]'
    )


def test_the_link_can_be_named_and_belong_to_the_key_of_the_child():
    lines = {"no": column("no", primaryKey=True), "tags": table("tags", {".": "tag"})}
    mapping = {**ID, "lines": table("lines", lines, parentKey={"destination": "user", "primaryKey": True})}

    output = map_batches(mapping, [{"id": 7, "lines": [{"no": 1, "tags": "a"}]}])

    assert output.read()["lines"] == [["no", "user"], ["1", "7"]]
    assert output.read()["tags"] == [["tag", "lines_pk"], ["a", "1,7"]]
    assert output.tables["lines"].primary_key == ("no", "user")


def test_a_disabled_link_is_in_neither_table():
    row = {"id": 1, "tags": ["a"]}
    mapping = {"id": "id", "tags": table("tags", {".": "tag"}, parentKey=DISABLED)}

    assert map_rows(mapping, row) == {"users": [["id"], ["1"]], "tags": [["tag"], ["a"]]}


def test_a_disabled_link_is_no_key():
    mapping = {**ID, "tags": table("tags", {".": "tag"}, parentKey={**DISABLED, "primaryKey": True})}

    assert map_batches(mapping, [{"id": 1, "tags": ["a"]}]).tables["tags"].primary_key == ()
