"""Flat pages read straight into columns: the same cells as in the general way, or not read at all."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.decode import decode
from penstock.extractor.numbers import Float
from penstock.extractor.records.cells import render
from penstock.extractor.records.columns import Column
from penstock.extractor.records.typed import MOST_FAILURES, Typed

numbers = st.one_of(
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["-0", "-0.0", "1.50", "1e5", "0.00001", "100", "12345678901234567890123", "1.0"]),
)
scalars = st.one_of(st.none(), st.booleans(), numbers, st.text(max_size=3).map(json.dumps))
rows = st.lists(st.dictionaries(st.sampled_from(["a", "b", "c d", "é"]), scalars, max_size=4), min_size=1, max_size=4)


kinds = st.sampled_from([numbers, st.booleans(), st.text(max_size=3).map(json.dumps)])
"""What one column holds."""


@st.composite
def like_pages(draw: st.DrawFn) -> list[list[dict[str, Any]]]:
    """Pages whose columns have one type each, some of them nullable."""
    columns = {key: draw(kinds) for key in ("a", "b", "c d", "é")}
    nullable = draw(st.sets(st.sampled_from(list(columns))))
    fields = {key: st.none() | values if key in nullable else values for key, values in columns.items()}
    page = st.lists(st.fixed_dictionaries(fields), min_size=3, max_size=6)
    return draw(st.lists(page, min_size=2, max_size=4))


def json_of(value: Any) -> str:
    if isinstance(value, dict):
        return f"{{{','.join(f'{json.dumps(key)}:{json_of(item)}' for key, item in value.items())}}}"
    if isinstance(value, list):
        return f"[{','.join(map(json_of, value))}]"
    return value if isinstance(value, str) else json.dumps(value)


def cells_of(column: Column, keys: list[str]) -> dict[str, list[str]]:
    members = {key: column.member(key) for key in keys}
    return {key: list(render(member.values, member.kinds)) for key, member in members.items()}


@given(st.lists(rows, min_size=2, max_size=4) | like_pages(), st.sampled_from(["", "items"]))
def test_cells_are_the_same_as_in_the_general_way(pages: list[list[dict[str, Any]]], key: str):
    typed = Typed(key)
    for page in pages:
        body = (json_of(page) if not key else json_of({"total": 1, "items": page})).encode()
        document = decode(body).document
        general = Column(document["items"] if key else document)
        read = typed.read(body)
        if read is None:
            typed.learn(document, general)
        else:
            keys = list(general.members)
            assert cells_of(read.column, keys) == cells_of(general, keys)
            assert [{k: v for k, v in row.items() if v is not None} for row in read] == [
                {k: v for k, v in row.items() if v is not None} for row in general.values
            ]


def typed_after(*documents: Any, key: str = "items") -> Typed:
    typed = Typed(key)
    for document in documents:
        typed.learn(document, Column(document["items"] if isinstance(document, dict) else document))
    return typed


def test_a_page_like_those_before_is_read():
    typed = typed_after({"items": [{"id": 1, "name": "a", "price": Float("1.5")}], "total": 2})

    read = typed.read(b'{"items": [{"id": 2, "name": "b", "price": 2.50}], "total": 3}')

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
    assert typed_after({"items": [{"id": 1}]}).read(body) is None


@pytest.mark.parametrize("row", [{"a": [1]}, {"a": {"b": 1}}, {"a": 1, "b": []}])
def test_nested_records_are_not_for_it(row: dict[str, Any]):
    typed = typed_after({"items": [row]})

    assert typed.read(json.dumps({"items": [row]}).encode()) is None


def test_the_only_list_of_a_response_is_found_without_a_name_and_a_second_one_is_not_overlooked():
    typed = typed_after({"total": 1, "items": [{"id": 1}], "more": None}, key="")

    assert typed.read(b'{"total": 1, "items": [{"id": 2}], "more": {}}') is not None
    assert typed.read(b'{"total": 1, "items": [{"id": 2}], "more": []}') is None


def test_a_response_that_is_the_list_is_read():
    assert list(typed_after([{"id": 1}], key="").read(b'[{"id": 2}, {"id": 3}]') or []) == [{"id": 2}, {"id": 3}]


def test_records_that_never_fit_are_given_up():
    typed = typed_after({"items": [{"id": 1}]})
    for _ in range(MOST_FAILURES):
        typed.read(b"no")

    assert typed.read(b'{"items": [{"id": 2}]}') is None


def test_records_that_are_nested_are_given_up_at_the_first_page():
    typed = typed_after({"items": [{"id": 1, "tags": ["a"]}]})
    typed.read(b"{}")

    assert typed.is_given_up
