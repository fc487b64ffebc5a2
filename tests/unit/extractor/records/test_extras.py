from __future__ import annotations

from typing import Any

import pytest

from penstock.extractor.records.columns import Column
from penstock.extractor.records.extras import Aliases, Extras
from penstock.extractor.records.tree import Node, Tree


def rows(*keys: str) -> Node:
    node = Node("object")
    node.members = {key: Node("scalar") for key in keys}
    return node


def tree_of(**records: dict[str, Any]) -> Tree:
    tree = Tree()
    for data_type, record in records.items():
        tree.learn(data_type, Column([record]), lambda message, item: None)
    return tree


def test_the_extra_columns_of_a_table_are_those_of_all_its_pages():
    extras = Extras()

    assert [extras.learn("users", extra) for extra in ({"a": 1}, {"a": 2}, {"b": 1, "a": 3}, {})] == [
        True,
        False,
        True,
        False,
    ]
    assert extras.keys("users") == ["a", "b"]
    assert extras.keys("orders") == []


def test_an_extra_column_clashes_with_a_column_of_its_own_table_only():
    extras = Extras()
    extras.learn("users", {"tag": 1})

    assert extras.clash(tree_of(users={"tag": 1}))
    assert not extras.clash(tree_of(users={"id": 1, "o": {"tag": 1}}, orders={"tag": 1}))


def test_a_name_is_numbered_until_it_is_free():
    assert Aliases().name("tag", rows("tag", "tag_u0", "tag_u1")) == "tag_u2"


def test_a_number_once_given_stays():
    aliases = Aliases()

    assert [aliases.name("tag", rows(*keys)) for keys in ([], ["tag"], [], ["tag_u0"], ["tag"])] == [
        "tag",
        "tag_u0",
        "tag_u0",
        "tag_u1",
        "tag_u1",
    ]


def test_a_number_is_not_the_name_of_another_extra_column():
    assert Aliases().name("tag", rows("tag"), {"tag_u0": "x"}) == "tag_u1"
    assert Aliases().name("tag_u0", rows("tag"), {"tag_u0": "x"}) == "tag_u0_u0"


@pytest.mark.parametrize("is_extra", [True, False])
def test_a_column_that_an_earlier_run_added_is_no_clash(is_extra: bool):
    node = rows("tag")
    node.members["tag"].is_extra = is_extra

    assert Aliases().name("tag", node) == ("tag" if is_extra else "tag_u0")
