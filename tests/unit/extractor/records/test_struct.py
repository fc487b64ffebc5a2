from __future__ import annotations

from typing import Any

import pytest

from penstock.extractor.base.errors import UserError
from penstock.extractor.records.columns import Column
from penstock.extractor.records.naming import Naming
from penstock.extractor.records.struct import read_struct, write_struct
from penstock.extractor.records.tree import Tree

USERS = {
    "_users": {
        "[]": {"_id": {"nodeType": "scalar", "headerNames": "id"}, "nodeType": "object", "headerNames": "data"},
        "nodeType": "array",
    }
}


def learnt(*records: Any, tree: Tree | None = None) -> Tree:
    tree = tree or Tree()
    tree.learn("users", Column(list(records)), lambda message, item: None)
    Naming(tree).update()
    return tree


def test_the_struct_of_a_flat_table():
    assert write_struct(learnt({"id": 1})) == {"data": USERS, "parent_aliases": []}


def test_nothing_learnt_is_an_empty_list():
    assert write_struct(Tree()) == {"data": [], "parent_aliases": []}


def test_a_struct_read_and_written_again_is_the_same():
    struct = write_struct(learnt({"id": 1, "a": {"b": [{"c": None}], "[]": 1}, "a.b": 2}))

    assert write_struct(read_struct(struct)) == struct


def test_columns_known_from_the_past_keep_their_place_and_name():
    tree = learnt({"new": 1, "old_id": 2}, tree=read_struct({"data": USERS}))

    assert [node.header for node in tree.rows_of("users").members.values()] == ["id", "new", "old_id"]


def test_a_new_column_does_not_take_the_name_of_a_known_one():
    tree = learnt({"_id": 2}, tree=read_struct({"data": USERS}))

    assert [node.header for node in tree.rows_of("users").members.values()] == ["id", "id_u0"]


@pytest.mark.parametrize(
    ("data", "what", "where"),
    [
        ("text", "Node is not a map.", "data"),
        ({"_users": 1}, "Node is not a map.", "_users"),
        ({"_users": {"[]": {"nodeType": "array"}}}, "Node data type is not set.", "_users"),
        ({"_users": {"[]": {"_id": {}}, "nodeType": "array"}}, "Node data type is not set.", "_users.[]"),
        ({"_users": {"nodeType": "list"}}, "Node data type 'list' is unknown.", "_users"),
        ({"_users": {"nodeType": ["array"]}}, "Node data type ['array'] is unknown.", "_users"),
        ({"_users": {"nodeType": "array", "headerNames": []}}, "Node header is not a text.", "_users"),
    ],
)
def test_a_malformed_struct_is_refused_with_its_place(data: Any, what: str, where: str):
    with pytest.raises(UserError) as caught:
        read_struct({"data": data})

    assert str(caught.value).startswith(f"{what} The state is wrong: at `{where}` of `json_parser.struct`. Delete")


def test_an_extra_column_of_an_earlier_run_that_is_now_in_the_records_is_a_column_of_theirs():
    """The original never writes such a node, but read one it did."""
    extra = {"nodeType": "scalar", "headerNames": "tag", "type": "parent"}
    struct = {"_users": {"[]": {"_tag": extra, "nodeType": "object", "headerNames": "data"}, "nodeType": "array"}}

    before = read_struct({"data": struct})
    assert write_struct(before)["data"] == struct
    after = learnt({"tag": 1}, tree=before)

    assert write_struct(after)["data"]["_users"]["[]"]["_tag"] == {"nodeType": "scalar", "headerNames": "tag"}


@pytest.mark.parametrize("struct", [None, [], {}, {"data": []}])
def test_no_struct_is_an_empty_tree(struct: Any):
    assert read_struct(struct).roots == {}


def test_naming_twice_changes_nothing():
    tree = learnt({"a": {"b": 1}})
    before = write_struct(tree)

    Naming(tree).update()

    assert write_struct(tree) == before
