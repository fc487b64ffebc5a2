"""Pages read straight into columns: which of them are, and what comes out."""

from __future__ import annotations

import json
from typing import Any

import pytest

from penstock.extractor.base.numbers import Float
from penstock.extractor.records.fast.reader import MAX_FAILURES
from tests.unit.extractor.records.fast.pages import read_page, reader_after


def test_a_page_like_those_before_is_read():
    reader = reader_after({"items": [{"id": 1, "name": "a", "price": Float("1.5")}], "total": 2})

    read = read_page(reader, b'{"items": [{"id": 2, "name": "b", "price": 2.50}], "total": 3}')

    assert read is not None
    assert list(read) == [{"id": 2, "name": "b", "price": "2.50"}]
    assert isinstance(read[0]["price"], Float)


@pytest.mark.parametrize(
    "body",
    [
        b'{"items": [{"id": 2, "new": 1}]}',
        b'{"items": [{"id": "2"}]}',
        b'{"items": [{"id": true}]}',
        b'{"items": [{"id": {}}]}',
        b'{"items": [{"id": -0}]}',
        b'{"items": [2]}',
        b'{"items": [null]}',
        b'{"items": []}',
        b'{"other": []}',
        b'{"items": [{"id": 2}], "news": 1}',
        b"[",
        b'{"items": [{"id": 2}]',
        b"[" * 100_000,
        b"",
    ],
)
def test_a_page_that_does_not_fit_is_left_to_the_general_way(body: bytes):
    assert read_page(reader_after({"items": [{"id": 1}]}), body) is None


@pytest.mark.parametrize(
    "rows",
    [
        [{"a": 1, "b": "x"}, {"a": 2, "b": True}],
        [{"a": {}}],
        [{"a": [[1]]}],
        [{"a": [1, "x"]}],
        [{"a": [1]}, {"b": [1]}],
        [{"a": 1, "b": []}, {"b": [], "a": 1}],
    ],
)
def test_records_that_are_not_alike_are_given_up_at_the_first_page(rows: list[Any]):
    reader = reader_after({"items": rows})

    assert read_page(reader, json.dumps({"items": rows}).encode()) is None
    assert reader.is_given_up


def test_records_nested_very_deeply_are_left_to_the_general_way():
    record: dict[str, Any] = {"a": 1}
    for _ in range(400):
        record = {"a": record}
    reader = reader_after({"items": [record]})

    assert read_page(reader, b'{"items": []}') is None


def test_the_only_list_of_a_response_is_found_without_a_name_and_a_second_one_is_not_overlooked():
    reader = reader_after({"total": 1, "items": [{"id": 1}], "more": None}, key="")

    assert read_page(reader, b'{"total": 1, "items": [{"id": 2}], "more": {}}') is not None
    assert read_page(reader, b'{"total": 1, "items": [{"id": 2}], "more": []}') is None


def test_a_response_that_is_the_list_is_read():
    assert list(read_page(reader_after([{"id": 1}], key=""), b'[{"id": 2}, {"id": 3}]') or []) == [{"id": 2}, {"id": 3}]


def test_records_that_never_fit_are_given_up():
    reader = reader_after({"items": [{"id": 1}]})
    for _ in range(MAX_FAILURES):
        read_page(reader, b"no")

    assert read_page(reader, b'{"items": [{"id": 2}]}') is None


def test_a_page_that_fits_makes_up_for_one_that_did_not():
    reader = reader_after({"items": [{"id": 1}]})
    for _ in range(3 * MAX_FAILURES):
        read_page(reader, b"no")
        rows = read_page(reader, b'{"items": [{"id": 2}]}')
        assert rows is not None
        assert list(rows.column.member("id").cells) == ["2"]


def test_a_record_that_does_not_fit_among_others_that_do_sends_the_whole_page_the_general_way():
    reader = reader_after({"items": [{"id": 1}]})

    for _ in range(MAX_FAILURES):
        rows = read_page(reader, b'{"items": [{"id": 2}, {"id": "x"}]}')
        assert rows is not None
        assert list(rows.column.member("id").cells) == ["2", "x"]

    assert reader.is_given_up


def test_members_of_a_null_object_are_empty_although_they_never_were_null():
    inner = {"text": "x", "deep": {"flag": True}, "number": 1}
    reader = reader_after([{"id": 1, "user": None}], [{"id": 2, "user": inner}], key="")

    rows = read_page(
        reader, b'[{"id": 3, "user": null}, {"id": 4, "user": {"text": "y", "deep": {"flag": false}, "number": 2}}]'
    )

    assert rows is not None
    user = rows.column.member("user")
    assert [list(user.member(key).cells) for key in ("text", "number")] == [["", "y"], ["", "2"]]
    assert list(user.member("deep").member("flag").cells) == ["", ""]


def test_numbers_too_long_for_the_general_way_are_left_to_it():
    assert read_page(reader_after([{"id": 1}], key=""), b'[{"id":%b}]' % (b"1" * 4301)) is None


def test_numbers_are_values_for_whoever_asks():
    read = read_page(
        reader_after([{"a": 1, "b": Float("1.5")}, {"a": None, "b": None}], key=""),
        b'[{"a": 7, "b": 2.50}, {"a": null, "b": 3}, {}]',
    )

    assert read is not None
    assert read.column.members["a"].values == [7, None, None]
    assert read.column.members["b"].values == [Float("2.50"), 3, None]
    assert list(map(type, read.column.members["b"].values)) == [Float, int, type(None)]
