from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.base.decode import NotJson, decode
from penstock.extractor.base.numbers import Float

DOCUMENTS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs", "Cc"])), inner),
    max_leaves=20,
)


@pytest.mark.parametrize(
    ("body", "document"),
    [
        (b"12345678901234567890123456789", 12345678901234567890123456789),
        (b"-9223372036854775809", -9223372036854775809),
        (b'{"a":1,"b":2,"a":3}', {"a": 3, "b": 2}),
        (b'"\\u0000"', "\0"),
        (b"-0", 0),
        (b'"\\ud83d\\ude00"', "\U0001f600"),
        (b'{"":1}', {"": 1}),
        (b' "x" ', "x"),
        (b'{"a":"\\u0000b"}', {"a": "\0b"}),
        (b'{"a\\u0000":1}', {"a\0": 1}),
    ],
)
def test_what_is_json_is_read_exactly(body: bytes, document: Any):
    decoded = decode(body)

    assert (decoded.document, decoded.dropped) == (document, 0)


@pytest.mark.parametrize("source", ["1.10", "1E400", "-0.0", "0.1000000000000000055511151231257827"])
def test_a_decimal_keeps_its_source_text(source: str):
    document = decode(source.encode()).document

    assert (type(document), document) == (Float, source)


@pytest.mark.parametrize(
    ("body", "text", "dropped"),
    [
        (b'"a\xffb"', "ab", 1),
        (b'"a\xc3(b"', "a(b", 1),
        (b'"a\\ud800b"', "ab", 1),
        (b'"\\udc00\\ud83d\\ude00\\\\ud800\xff"', "\U0001f600\\ud800", 2),
        (b'"\\uDBFFx\\uD83D\\uDE00"', "x\U0001f600", 1),
        (b'\xff"a"', "a", 1),
    ],
)
def test_what_is_no_text_is_left_out_and_counted(body: bytes, text: str, dropped: int):
    decoded = decode(body)

    assert (decoded.document, decoded.dropped) == (text, dropped)


@pytest.mark.parametrize(
    ("body", "at"),
    [
        (b"<html>", 0),
        (b"[1,]", 3),
        (b'{"a":1} x', 9),
        (b"\xef\xbb\xbf[]", 0),
        (b"[NaN]", 1),
        (b"[1,2", 4),
        (b"{'a':1}", 1),
        (b"", 0),
        (b'"\x00"', 1),
        (b"01", 1),
    ],
)
def test_what_is_not_json_is_refused_with_its_place(body: bytes, at: int):
    with pytest.raises(NotJson) as caught:
        decode(body)

    assert caught.value.at == at


@pytest.mark.parametrize("start", [b"", b"\xff", b'"\\ud800",'])
def test_a_document_of_a_hundred_thousand_levels_is_refused(start: bytes):
    with pytest.raises(NotJson, match="nested too deeply"):
        decode(b"[" + start + b"[" * 100_000 + b"]" * 100_001)


@pytest.mark.parametrize("body", [b'{"\\u0000a":1}', b'[{"b":{"\\u0000":1}}]', b'{"a":"\\u0000","\\u0000":[]}'])
def test_a_name_that_starts_with_zero_is_refused(body: bytes):
    with pytest.raises(NotJson) as caught:
        decode(body)

    assert caught.value.family == "Unknown error"


@given(DOCUMENTS)
def test_whatever_is_written_as_json_is_read_back(document: Any):
    for is_ascii in (True, False):
        body = json.dumps(document, ensure_ascii=is_ascii).encode()
        assert decode(body).document == document


@given(st.binary(max_size=30))
def test_no_bytes_are_more_than_a_document_or_a_reason(body: bytes):
    with suppress(NotJson):
        decode(body)


def test_an_integer_of_thousands_of_digits_is_refused():
    with pytest.raises(NotJson, match="an integer of more than 4,300 digits"):
        decode(b"1" * 5000)
