from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.base.numbers import Float, show_float
from penstock.extractor.records.cells import (
    all_as_latin1,
    as_latin1,
    csv_lines,
    escaped,
    render,
    render_extra,
    to_bytes,
)

TEXTS = [["é", 'a "ß"'], ["é", None], ["é\n", "大阪"], ["é", 1, True]]
TEXTS_TO_CONVERT = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from("aé大\0"))


@pytest.mark.parametrize(
    ("column", "cells"),
    [
        ([1, -2, 10**30], ["1", "-2", "1" + "0" * 30]),
        ([1, None], ["1", ""]),
        (["a", 'say "hi"'], ["a", 'say ""hi""']),
        (["a", None], ["a", ""]),
        ([True, False, None], ["1", "", ""]),
        ([None, None], ["", ""]),
        ([Float("1.50"), Float("2.25"), None], ["1.5", "2.25", ""]),
        ([Float("1e5"), Float("2.25"), None], ["100000", "2.25", ""]),
        ([1, "a", True, None, Float("1.0"), ["x"]], ["1", "a", "1", "", "1", '[""x""]']),
        ([0.1, 1e15, 2.0], ["0.1", "1.0E+15", "2"]),
        ([Float("0.00001"), Float("123456789.5")], ["1.0E-5", "123456789.5"]),
        (['"'], ['""']),
        ([], []),
    ],
)
def test_a_column_becomes_cells(column: list[Any], cells: list[str]):
    assert render(column) == cells


@given(st.lists(st.from_regex(r"-?(0|[1-9][0-9]{0,9})\.[0-9]{1,9}", fullmatch=True)))
def test_a_column_of_decimals_is_shown_as_each_of_them_is(numbers: list[str]):
    assert list(render(list(map(Float, numbers)))) == list(map(show_float, numbers))


@given(st.lists(st.text(st.sampled_from('a"\0é大'))))
def test_a_column_of_texts_is_escaped_as_each_of_them_is(texts: list[str]):
    assert list(escaped(texts)) == [as_latin1(text).replace('"', '""') for text in texts]


@pytest.mark.parametrize("column", TEXTS)
def test_letters_beyond_ascii_are_written_as_utf_8(column: list[Any]):
    texts = ["" if value is None else "1" if value is True else str(value) for value in column]

    lines = "".join(['"{}"\n'.format(text.replace('"', '""')) for text in texts])
    assert csv_lines([render(column)], len(column)) == lines.encode()


def test_every_field_is_quoted_and_line_breaks_are_kept():
    assert csv_lines([["a", "b\nc"], ["", "d"]], 2) == b'"a",""\n"b\nc","d"\n'


def test_rows_without_columns_are_blank_lines():
    assert csv_lines([], 3) == b"\n\n\n"


def test_no_rows_are_no_lines():
    assert csv_lines([[], []], 0) == b""


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        (None, ""),
        (False, ""),
        (True, "1"),
        (7, "7"),
        (1.5, "1.5"),
        (Float("1.50"), "1.5"),
        ('a"b', 'a""b'),
        ({"a": {}, "b": "x/y"}, '{""a"":[],""b"":""x\\/y""}'),
    ],
)
def test_an_extra_column_has_one_value_for_all_rows(value: Any, cell: str):
    assert render_extra([value, value]) == [cell, cell]


def test_an_extra_column_beyond_ascii_is_written_as_utf_8():
    assert csv_lines([render_extra(["é"])], 1) == '"é"\n'.encode()


def test_links_differ_from_row_to_row():
    assert render_extra(["users_1", "users_2"]) == ["users_1", "users_2"]


@given(TEXTS_TO_CONVERT)
def test_a_disguised_text_is_revealed_as_utf_8(text: str):
    assert to_bytes(as_latin1(text)) == text.encode()
    assert len(as_latin1(text)) == len(text.encode())


@given(st.lists(TEXTS_TO_CONVERT))
def test_many_texts_are_disguised_as_one_is(texts: list[str]):
    assert list(all_as_latin1(texts)) == list(map(as_latin1, texts))


def test_ascii_needs_no_disguise():
    texts = ["a", "", "b\0c"]

    assert all_as_latin1(texts) is texts
