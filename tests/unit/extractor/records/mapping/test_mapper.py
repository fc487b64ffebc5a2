from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from penstock.extractor.records.mapping import Mapper, check_mappings
from penstock.extractor.records.serialized import serialize
from tests.unit.extractor.records.mapping.writing import (
    DISABLED,
    ID,
    TAGS,
    Output,
    column,
    map_batches,
    map_rows,
    refusal,
    table,
)


def md5(text: str) -> str:
    return hashlib.md5(text.encode()).hexdigest()


def test_tables_stand_inside_tables():
    contact = {"mail": "jane@example.com", "homes": [{"street": "First"}, {"street": "Second"}]}
    row = {"id": 1, "contact": contact}
    homes = table("homes", {"street": "street"})
    outer, inner = md5(serialize(row)), md5(serialize(contact))

    assert map_rows({"id": "id", "contact": table("contacts", {"mail": "mail", "homes": homes})}, row) == {
        "users": [["id", "contacts"], ["1", outer]],
        "contacts": [["mail", "homes", "users_pk"], ["jane@example.com", inner, outer]],
        "homes": [["street", "contacts_pk"], ["First", inner], ["Second", inner]],
    }


def test_single_items_of_a_list_are_reached_by_their_number():
    home = {"street": "street"}
    mapping = {"id": "id", "homes.0": table("first", home), "homes.1": table("second", home)}
    rows = [{"id": 1, "homes": [{"street": "A"}, {"street": "B"}]}, {"id": 2, "homes": [{"street": "C"}]}]
    one, two = (md5(serialize(row)) for row in rows)

    assert map_rows(mapping, *rows) == {
        "users": [["id", "first", "second"], ["1", one, one], ["2", two, ""]],
        "first": [["street", "users_pk"], ["A", one], ["C", two]],
        "second": [["street", "users_pk"], ["B", one]],
    }


def test_entries_that_fill_one_table_write_in_the_order_of_the_rows():
    home = table("homes", {"street": "street"})
    rows = [{"id": at, "a": {"street": f"a{at}"}, "b": {"street": f"b{at}"}} for at in (1, 2)]

    assert map_rows({**ID, "a": home, "b": home}, *rows)["homes"][1:] == [
        *(["a1", "1"], ["b1", "1"], ["a2", "2"], ["b2", "2"])
    ]


def test_an_empty_batch_makes_the_table_but_not_its_children():
    output = map_batches({**ID, **TAGS}, [])

    assert output.lines == {"users": ""}
    assert output.tables["users"].primary_key == ("id",)


def test_a_child_table_without_items_is_not_made():
    assert map_rows({"id": "id", **TAGS}, {"id": 1, "tags": []}).keys() == {"users"}


def test_batches_follow_each_other():
    assert map_batches({"a": "a"}, [{"a": 1}], [], [{"a": 2}]).lines == {"users": '"1"\n"2"\n'}


def test_a_table_without_columns_has_a_blank_line_per_row():
    mapping = {"tags": table("tags", {".": "tag"}, parentKey=DISABLED)}

    assert map_batches(mapping, [{"tags": ["a"]}, {}]).lines == {"tags": '"a"\n', "users": "\n\n"}


def test_primary_keys_are_handed_out_as_they_are_written():
    tags = table("tags", {".": "tag"}, parentKey={"primaryKey": True})
    mapping = {"n": "n", "b": column("B", primaryKey=True), "a": column("A", primaryKey=True), "tags": tags}
    plain = {"plain": table("plain", {"x": "x"}), **mapping}
    taken: list[tuple[str, Sequence[Sequence[str]]]] = []

    Mapper("users", check_mappings({"users": plain})["users"]).write(
        [{"a": 1, "b": 'q"', "tags": ["x", "y"], "plain": []}, {"a": True}],
        {},
        Output().emit,
        lambda name, columns: taken.append((name, columns)),
    )

    assert [(name, [list(cells) for cells in columns]) for name, columns in taken] == [
        ("tags", [['q"",1', 'q"",1', ",1"]]),
        ("users", [['q""', ""], ["1", "1"]]),
    ]


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
