"""Where the records of a response are."""

from __future__ import annotations

from typing import Any

import pytest

from penstock.extractor.tools.discovery.records import find, table_name

ROWS = [{"id": 1}, {"id": 2}]


@pytest.mark.parametrize(
    ("document", "segment", "path"),
    [
        (ROWS, "users", ()),
        ({"users": ROWS, "groups": [{"id": n} for n in range(9)]}, "users", ("users",)),
        ({"data": ROWS, "included": [{"id": n} for n in range(9)]}, "x", ("data",)),
        ({"data": {"users": {"nodes": ROWS, "pageInfo": {}}}}, "graphql", ("data", "users", "nodes")),
        ({"schemas": ["a", "b", "c"], "Resources": ROWS}, "Users", ("Resources",)),
        (
            {"users": [{"id": n} for n in range(9)], "list": {"topics": ROWS, "more_url": "/x"}},
            "latest",
            ("list", "topics"),
        ),
        ({"ids": [1, 2, 3]}, "x", ("ids",)),
    ],
)
def test_the_most_likely_array_is_found(document: Any, segment: str, path: tuple[str, ...]) -> None:
    found = find(document, segment)

    assert found is not None
    assert found.path == path


def test_a_response_without_arrays_has_no_records() -> None:
    assert find({"id": 1}, "x") is None
    assert find("text", "x") is None


def test_a_key_with_a_dot_gets_another_delimiter() -> None:
    found = find({"a.b": {"rows": ROWS}}, "x")

    assert found is not None
    assert found.setting == {"path": "a.b/rows", "delimiter": "/"}


@pytest.mark.parametrize(
    ("document", "segment", "name"),
    [
        ({"data": ROWS}, "users.json", "users"),
        ({"members": ROWS}, "users.list", "members"),
        ({"data": {"users": {"nodes": ROWS}}}, "graphql", "users"),
        ({"results": ROWS}, "d9824bdc84454327", "results"),
        (ROWS, "", "records"),
    ],
)
def test_tables_have_names_that_say_something(document: Any, segment: str, name: str) -> None:
    found = find(document, segment)

    assert found is not None
    assert table_name(found, segment) == name
