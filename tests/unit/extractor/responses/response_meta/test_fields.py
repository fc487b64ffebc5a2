"""Keys, times and arrays of records; signs of further pages."""

from __future__ import annotations

from typing import Any

import pytest

from penstock.extractor.responses.response_meta.fields import fields
from penstock.extractor.responses.response_meta.signs import read_signs
from penstock.extractor.tools.discovery.changes import find_updated
from penstock.extractor.tools.discovery.conclusions import nested_arrays
from penstock.extractor.tools.discovery.keys import find_key


@pytest.mark.parametrize(
    ("records", "table", "key"),
    [
        ([{"name": "a", "id": 1}, {"name": "b", "id": 2}], "users", "id"),
        ([{"id": 1, "uuid": "a"}, {"id": 1, "uuid": "b"}], "users", "uuid"),
        ([{"AccountID": 1, "InvoiceID": 5}, {"AccountID": 2, "InvoiceID": 6}], "Invoices", "InvoiceID"),
        ([{"node": {"id": 1}}, {"node": {"id": 2}}], "users", "node.id"),
        ([{"name": "a"}, {"name": "b"}], "users", ""),
        ([{"id": None}, {"id": 1}], "users", ""),
        ([1, 2], "users", ""),
        ([], "users", ""),
    ],
)
def test_a_key_is_an_id_that_is_different_in_each_record(records: list[Any], table: str, key: str) -> None:
    assert find_key(records, table) == key


@pytest.mark.parametrize(
    ("record", "path"),
    [
        ({"created_at": "2024-01-01", "updated_at": "2024-01-01T00:00:00Z"}, "updated_at"),
        ({"fields": {"updated": "2024-01-01T10:00:00.000+0000"}}, "fields.updated"),
        ({"UpdatedDateUTC": "/Date(1518685950940+0000)/"}, "UpdatedDateUTC"),
        ({"last_edited_time": "2024-01-01T10:00:00.000Z"}, "last_edited_time"),
        ({"lastModifiedDateTime": "2024-01-01T10:00:00Z"}, "lastModifiedDateTime"),
        ({"modified": 1_700_000_000}, "modified"),
        ({"updated_by": "2024-01-01"}, ""),
        ({"updated_at": "yesterday"}, ""),
    ],
)
def test_times_of_changes_are_found(record: dict[str, Any], path: str) -> None:
    assert find_updated([record]) == path


def test_arrays_of_records_are_found_at_any_depth() -> None:
    assert nested_arrays([{"a": {"b": [1]}}, {"a": {"b": []}, "c": [{}]}]) == ["a.b", "c"]


@pytest.mark.parametrize(
    ("document", "says_more", "says_last"),
    [
        ({"has_more": True}, True, False),
        ({"meta": {"isLast": False}}, True, False),
        ({"done": True}, False, True),
        ({"total": 9}, True, False),
        ({"total": "2"}, False, True),
        ({"count": 2}, False, False),
        ({"count": 9}, True, False),
        ({"total": 1}, False, False),
    ],
)
def test_flags_and_totals_say_whether_there_is_more(document: Any, says_more: bool, says_last: bool) -> None:
    signs = read_signs(fields(document), {}, 2)

    assert (signs.says_more(2), signs.says_last(2)) == (says_more, says_last)


def test_a_header_may_hold_the_total() -> None:
    assert read_signs([], {"X-Total-Count": "40"}, 20).total == 40
