"""Pages with lists are read only if every key is where it should be."""

from __future__ import annotations

import json

import pytest

from tests.unit.extractor.records.fast.pages import read_page, reader_after

NESTED = {"id": 1, "user": {"name": "a"}, "tags": ["x"]}


@pytest.mark.parametrize(
    "body",
    [
        b'[{"id":2,"user":{"name":"b"},"tags":["y","z"]}]',
        b'[{"id":2,"user":{"name":"b \\"c\\""},"tags":[]}]',
        b'[ {"id": 2, "user": {"name": "b"},\n "tags": ["y"]} ]\n',
    ],
)
def test_a_page_with_lists_is_read_if_its_keys_are_in_their_order(body: bytes):
    read = read_page(reader_after([NESTED], key=""), body)

    assert read is not None
    assert list(read) == json.loads(body)
    assert [list(row) for row in read] == [list(NESTED)]


@pytest.mark.parametrize(
    "body",
    [
        b'[{"user":{"name":"b"},"id":2,"tags":[]}]',
        b'[{"id":2,"tags":[]}]',
        b'[{"id":2,"user":null,"tags":[]}]',
        b'[{"id":2,"id":2,"user":{"name":"b"},"tags":[]}]',
        b'[{"id":2,"user":{"name":"b"},"tags":[1]}]',
        b'[{"id":"2","user":{"name":"b"},"tags":[]}]',
        b'[{"id":2,"user":{"name":"a\\/b"},"tags":[]}]',
    ],
)
def test_a_page_with_lists_and_anything_out_of_its_order_is_left_to_the_general_way(body: bytes):
    assert read_page(reader_after([NESTED], key=""), body) is None


ROW = b'{"id":2,"user":{"name":"b"},"tags":["y"]}'
ENVELOPE = {"total": 1, "items": [NESTED], "next": {"page": 2}}


@pytest.mark.parametrize(
    "body",
    [
        b'{"total":9,"items":[%b],"next":{"page":3}}',
        b'{"total":9,"items":[%b],"next":{"page":3}}\n',
        b'{"total":1.50,"items":[%b],"next":"http:\\/\\/a\\u00e9"}',
        b'{"items":[%b],"next":null}',
        b'{"items":[%b]}',
        b' { "total": 9, "items": [ %b ],\n"next": {"page": 3, "more": [ ]} }',
    ],
)
@pytest.mark.parametrize("key", ["items", ""])
def test_what_stands_around_records_with_lists_may_change(body: bytes, key: str):
    read = read_page(reader_after(ENVELOPE, key=key), body % ROW)

    assert read is not None
    assert list(read) == [json.loads(ROW)]


@pytest.mark.parametrize(
    "body",
    [
        b'{"total":9,"next":{"page":3},"items":[%b]}',
        b'{"total":9,"items":[],"items":[%b]}',
        b'{"total":9,"total":9,"items":[%b]}',
        b'{"total":9,"items":[%b],"next":[]}',
        b'{"total":9,"items":[%b],"next":"\xff"}',
        b'{"total":9,"items":[%b],"next":"\\ud800"}',
        b'{"total":9,"items":[%b],"new":1}',
    ],
)
def test_what_stands_around_records_with_lists_must_be_sound_and_in_its_order(body: bytes):
    assert read_page(reader_after(ENVELOPE, key=""), body % ROW) is None
