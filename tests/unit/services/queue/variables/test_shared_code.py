"""Shared code: lines of a script that stand in another configuration."""

from __future__ import annotations

from typing import Any

import pytest

from penstock.foundation.errors import NotFound
from penstock.services.queue.variables.errors import SharedCodeInvalid, SharedCodeUnreadable
from penstock.services.queue.variables.shared_code import insert_shared_code

ROWS: dict[str, dict[str, Any]] = {
    "one": {"code_content": ["SELECT 1", "SELECT 2"]},
    "two": {"code_content": "SELECT 3"},
    "none": {"code_content": []},
    "chain": {"code_content": ["{{ one }}"]},
}


def read(config_id: str, row_id: str) -> dict[str, Any]:
    if config_id != "code" or row_id not in ROWS:
        raise NotFound(f"Row {row_id} not found")
    return ROWS[row_id]


def inserted(script: Any, *row_ids: str) -> Any:
    document = {"shared_code_id": "code", "shared_code_row_ids": list(row_ids), "parameters": {"script": script}}
    return insert_shared_code(document, read)[0]["parameters"]["script"]


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        (["{{ one }}"], ["SELECT 1", "SELECT 2"]),
        (["{{one}}", "kept"], ["SELECT 1", "SELECT 2", "kept"]),
        (["before {{ two }} after"], ["SELECT 3"]),
        (["{{ two }}{{ one }}"], ["SELECT 1", "SELECT 2", "SELECT 3"]),
        (["{{ other }}", 5, True], ["{{ other }}", 5, True]),
        (["{{ none }}", "x"], ["x"]),
        (["{{ chain }}"], ["{{ one }}"]),
        ("{{ one }}", "{{ one }}"),
        (["{{ one }}", None], ["{{ one }}", None]),
        (["{{ one }}", {"deep": ["{{ two }}"]}], ["{{ one }}", {"deep": ["SELECT 3"]}]),
        ([["{{ two }}"], ["x"]], [["SELECT 3"], ["x"]]),
        ([], []),
    ],
)
def test_a_line_that_names_a_row_becomes_its_lines(script: Any, expected: Any) -> None:
    assert inserted(script, "one", "two", "none", "chain") == expected


def test_rows_that_are_not_listed_are_not_used() -> None:
    assert inserted(["{{ one }}", "{{ two }}"], "two") == ["{{ one }}", "SELECT 3"]


@pytest.mark.parametrize(
    "given", [{}, {"shared_code_id": "code"}, {"shared_code_id": "", "shared_code_row_ids": ["x"]}]
)
def test_without_both_keys_nothing_is_read(given: dict[str, Any]) -> None:
    document = {**given, "script": ["{{ one }}"]}

    assert insert_shared_code(document, read) == (document, [])


def test_ids_that_are_numbers_are_read_as_text() -> None:
    document = {"shared_code_id": 5, "shared_code_row_ids": [7, "7"], "script": ["{{ 7 }}"]}

    found = insert_shared_code(document, lambda config_id, row_id: {"code_content": f"{config_id}/{row_id}"})
    assert (found[0]["script"], found[1]) == (["5/7"], ["7"])


def test_a_row_that_is_not_there_is_told_in_storages_words() -> None:
    with pytest.raises(SharedCodeUnreadable) as caught:
        inserted([], "nope")

    assert caught.value.message == "Shared code configuration cannot be read: Row nope not found"


@pytest.mark.parametrize("content", [{}, {"code_content": 5}, {"code_content": {"a": 1}}, {"code_content": [["x"]]}])
def test_content_that_is_no_code_is_told(content: dict[str, Any]) -> None:
    document = {"shared_code_id": "code", "shared_code_row_ids": ["x"]}
    with pytest.raises(SharedCodeInvalid, match="Shared code configuration is invalid: "):
        insert_shared_code(document, lambda _config_id, _row_id: content)


def test_ids_that_are_no_list_are_told() -> None:
    with pytest.raises(SharedCodeInvalid, match="must be a list of ids"):
        insert_shared_code({"shared_code_id": "code", "shared_code_row_ids": "one"}, read)
