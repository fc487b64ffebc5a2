from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.formats import Format, read_format

CELLS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=6)


def rows(body: bytes, **settings: Any) -> list[dict[str, str]]:
    return json.loads(Format("csv", **settings).to_json(body))


def test_json_stays_as_it_came():
    assert Format().to_json(b' {"a": 1.10}') == b' {"a": 1.10}'


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (b'{"a":1}\n{"a":2}\n', b'[{"a":1},{"a":2}]'),
        (b'{"a":1}\r\n\r\n  \n{"a":2}', b'[{"a":1},{"a":2}]'),
        (b"1\n[2]\nnull", b"[1,[2],null]"),
        (b"", b"[]"),
        ('{"a":"\u2028"}\n'.encode(), '[{"a":"\u2028"}]'.encode()),
    ],
)
def test_lines_of_json_become_a_list(body: bytes, text: bytes):
    assert Format("ndjson").to_json(body) == text


@pytest.mark.parametrize(
    ("body", "settings", "expected"),
    [
        (b'id,name\n1,"a ""b"", c"\n2,\n', {}, [{"id": "1", "name": 'a "b", c'}, {"id": "2", "name": ""}]),
        (b"\xef\xbb\xbfid\r\n1\r\n\r\n2\r\n", {}, [{"id": "1"}, {"id": "2"}]),
        (b"a;b\n'x;y';2\n", {"delimiter": ";", "quote": "'"}, [{"a": "x;y", "b": "2"}]),
        (b"a\tb\n1\t2", {"delimiter": "\t"}, [{"a": "1", "b": "2"}]),
        ("a\né\n".encode("latin-1"), {"encoding": "latin-1"}, [{"a": "é"}]),
        ("a\né\n".encode("utf-16"), {"encoding": "utf-16"}, [{"a": "é"}]),
        (b'a\n"x\ny"\n', {}, [{"a": "x\ny"}]),
        (b"a,b\n", {}, []),
        (b"", {}, []),
    ],
)
def test_csv_becomes_a_list_of_objects(body: bytes, settings: dict[str, Any], expected: list[dict[str, str]]):
    assert rows(body, **settings) == expected


@given(st.lists(CELLS, min_size=2, max_size=4, unique=True), st.data())
def test_csv_comes_back_cell_for_cell(header: list[str], data: st.DataObject):
    expected = data.draw(st.lists(st.fixed_dictionaries(dict.fromkeys(header, CELLS)), max_size=4))
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL)
    writer.writerows([header, *([row[name] for name in header] for row in expected)])

    assert rows(b"\xef\xbb\xbf" + out.getvalue().encode()) == expected


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"a,b\n1\n", "line 2 has 1 cells, but the header has 2."),
        (b"a\n1\n1,2\n", "line 3 has 2 cells, but the header has 1."),
        (b"a,b,a\n1,2,3\n", "the header names 'a' twice."),
        (b"a\n\xff\n", "it is not utf-8"),
    ],
)
def test_csv_that_would_lose_something_is_the_users_error(body: bytes, message: str):
    with pytest.raises(UserError) as caught:
        rows(body)

    assert str(caught.value).startswith(f"Invalid CSV response from API: {message}")


def test_a_cell_may_be_long():
    assert rows(b"a\n" + b"x" * 200_000) == [{"a": "x" * 200_000}]


@pytest.mark.parametrize(
    ("raw", "form"),
    [
        (None, Format()),
        ("", Format()),
        ({}, Format()),
        ("json", Format()),
        ("ndjson", Format("ndjson")),
        ({"format": "csv"}, Format("csv")),
        ({"format": "csv", "delimiter": ";", "quote": "'", "encoding": "latin-1"}, Format("csv", ";", "'", "latin-1")),
        ({"delimiter": ""}, Format()),
    ],
)
def test_a_format_is_a_name_or_a_map(raw: Any, form: Format):
    assert read_format(raw, "p") == form


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ("xml", 'Expected one of json, ndjson, csv, got "xml" - at `p`'),
        (5, 'Expected one of json, ndjson, csv, got "5" - at `p`'),
        ({"format": ["csv"]}, "Expected a text, got an array - at `p.format`"),
        ({"format": "csv", "delimiter": "||"}, 'Expected one character, got "||" - at `p.delimiter`'),
        ({"format": "csv", "quote": "\n"}, 'Expected one character, got "\\n" - at `p.quote`'),
        ({"format": "csv", "delimiter": '"'}, "The delimiter and the quote are the same - at `p.delimiter`"),
        ({"format": "csv", "quote": ","}, "The delimiter and the quote are the same"),
        ({"format": "csv", "encoding": "klingon"}, 'Unknown encoding "klingon" - at `p.encoding`'),
        ({"format": "csv", "encoding": "hex"}, 'Unknown encoding "hex" - at `p.encoding`'),
        ({"format": "csv", "encoding": "undefined"}, 'Unknown encoding "undefined" - at `p.encoding`'),
        ({"format": "csv", "encoding": "a\0"}, 'Unknown encoding "a\\u0000" - at `p.encoding`'),
    ],
)
def test_a_wrong_format_is_a_sentence_with_its_place(raw: Any, message: str):
    with pytest.raises(UserError) as caught:
        read_format(raw, "p")

    assert str(caught.value).startswith(f"Invalid configuration: {message}")


@pytest.mark.parametrize("body", [b'{"a": 1\n"b": 2}', b'{"a": 1},{"a": 2}', b"[1\n2]"])
def test_lines_that_are_json_only_together_are_an_error(body: bytes):
    with pytest.raises(UserError, match=r"Invalid JSON response from API: .* of line 1"):
        Format("ndjson").to_json(body)


def test_half_a_character_in_a_line_is_left_to_be_mended():
    assert Format("ndjson").to_json(b'["\\ud800"]\n["\xff"]') == b'[["\\ud800"],["\xff"]]'


@pytest.mark.parametrize("body", [b'a,b\n1,"x', b'a,b\n1,"x"y\n'])
def test_quotes_that_do_not_end_where_the_cell_does_are_an_error(body: bytes):
    with pytest.raises(UserError, match="Invalid CSV response from API: line 2"):
        rows(body)


def test_a_header_of_many_columns_is_read_at_once():
    header = ",".join(f"c{number}" for number in range(100_000))
    assert len(rows(f"{header}\n{header}\n".encode())[0]) == 100_000
