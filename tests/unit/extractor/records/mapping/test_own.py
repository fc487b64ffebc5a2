from __future__ import annotations

from typing import Any

from tests.unit.extractor.records.mapping.writing import (
    DISABLED,
    ID,
    map_rows,
    refusal,
    table,
)


def test_items_of_the_same_table_are_written_before_the_row_around_them():
    mapping = {"id": "id", "replies": {"type": "table", "destination": "users", "parentKey": DISABLED}}
    tree = {"id": 1, "replies": [{"id": 2, "replies": [{"id": 3}]}, {"id": 4, "replies": []}, {"id": 5, "replies": 0}]}

    assert map_rows(mapping, tree, {"id": 6})["users"] == [["id"], *([str(at)] for at in (3, 2, 4, 5, 1, 6))]


def test_items_of_the_same_table_end_at_null_even_with_a_key():
    mapping = {**ID, "replies": table("users", {}, parentKey=DISABLED)}

    assert map_rows(mapping, {"id": 1, "replies": {"id": 2}}, {"id": 3, "replies": None})["users"][1:] == [
        *(["2"], ["1"], ["3"])
    ]


def test_other_tables_meet_the_rows_where_they_stand_in_the_mapping():
    replies = {"replies": table("users", {}, parentKey=DISABLED)}
    mapping = {**ID, "a": table("before", {".": "x"}), **replies, "b": table("after", {".": "x"})}
    row = {"id": 1, "a": "a1", "b": "b1", "replies": [{"id": 2, "a": "a2", "b": "b2"}]}

    tables = map_rows(mapping, row)

    assert tables["before"][1:] == [["a1", "1"], ["a2", "2"]]
    assert tables["after"][1:] == [["b2", "2"], ["b1", "1"]]


def test_items_of_the_same_child_table_keep_its_link():
    comments = {"text": "text", "replies": table("comments", {}, parentKey=DISABLED)}
    row = {"id": 1, "comments": [{"text": "a", "replies": [{"text": "b"}]}]}

    assert map_rows({**ID, "comments": table("comments", comments)}, row)["comments"] == [
        *(["text", "users_pk"], ["b", "1"], ["a", "1"])
    ]


def test_a_tree_of_any_depth_is_mapped_and_one_too_deep_to_hash_is_refused():
    tree: dict[str, Any] = {"id": 0}
    for at in range(1, 3000):
        tree = {"id": at, "replies": [tree]}
    replies = {"replies": table("users", {}, parentKey=DISABLED)}

    assert len(map_rows({**ID, **replies}, tree)["users"]) == 3001
    assert "nested too deeply" in refusal({"replies": table("replies", {"id": "id"})}, tree)
