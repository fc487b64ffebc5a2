"""A response that equals the one before: digit for digit, white space and escapes aside."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.records.page import Page
from penstock.extractor.records.trace import differ
from tests.support.examples import examples

TEXTS = st.text(st.sampled_from('ab 1\\"/é\n😀'), max_size=5)
INTEGERS = st.integers() | st.integers(2**63 - 2, 2**64 + 2)
DECIMALS = st.decimals(allow_nan=False, allow_infinity=False, places=18).map(lambda number: f"{number:f}")
VALUES = st.recursive(
    st.none() | st.booleans() | INTEGERS | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)
DOCUMENTS = st.dictionaries(TEXTS, VALUES, min_size=1, max_size=3) | st.lists(VALUES, min_size=1, max_size=3)


def repeats(one: bytes, other: bytes) -> bool:
    return Page([1], one).trace.repeats(Page([1], other).trace)


def written(document: Any, *, is_ascii: bool, indent: int | None) -> bytes:
    text = json.dumps(document, ensure_ascii=is_ascii, indent=indent)
    return (text.replace("/", "\\/") if is_ascii else text).encode()


@examples(400)
@given(DOCUMENTS, st.booleans(), st.booleans(), st.sampled_from([None, 0, 3]))
def test_a_page_is_the_same_whatever_its_white_space_and_escapes(
    document: Any, is_ascii: bool, is_ascii_again: bool, indent: int | None
):
    one, other = (
        written(document, is_ascii=is_ascii, indent=None),
        written(document, is_ascii=is_ascii_again, indent=indent),
    )

    assert not differ(one, other)
    assert repeats(one, other)


@examples(400)
@given(DOCUMENTS, DOCUMENTS, st.booleans(), st.sampled_from([None, 2]))
def test_other_documents_are_other_pages(document: Any, other: Any, is_ascii: bool, indent: int | None):
    is_same = json.dumps(document) == json.dumps(other)

    assert repeats(written(document, is_ascii=True, indent=None), written(other, is_ascii=is_ascii, indent=indent)) == (
        is_same
    )


@examples(400)
@given(st.lists(INTEGERS.map(str) | DECIMALS, min_size=1, max_size=4), st.data())
def test_pages_that_differ_in_any_digit_are_different_pages(numbers: list[str], data: st.DataObject):
    items = ", ".join(f'{{"id": {number}}}' for number in numbers)
    body = f'{{"items": [{items}], "more": true}}'.encode()
    at = data.draw(st.sampled_from([match.start() for match in re.finditer(rb"[0-9]", body)]))
    digit = data.draw(st.sampled_from([each for each in b"123456789" if each != body[at]]))
    other = body[:at] + bytes([digit]) + body[at + 1 :]
    spaced = other.replace(b": ", b" :  ")

    assert repeats(body, body)
    assert not repeats(body, other)
    assert not repeats(body, spaced)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (b'["a b"]', b'["axb"]'),
        (b'["\\\\a b"]', b'["\\\\axb"]'),
        (b'["http:\\/\\/1"]', b'["http:\\/\\/2"]'),
        (b"[" + b"1," * 500 + b"1]", b"[" + b"1," * 500 + b"2]"),
    ],
)
def test_the_first_difference_decides_where_it_can(one: bytes, other: bytes):
    assert differ(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (b"[1]", b"[1]\n"),
        (b"[1]", b"[ 1]"),
        (b'["\\u00e9"]', b'["\\u00E9"]'),
        (b'["\\n"]', b'["\\u000a"]'),
        (b'["\\/"]', b'["/"]'),
        (b"[1, 2", b"[1, 2]"),
    ],
)
def test_what_may_mean_the_same_is_not_decided_by_its_bytes(one: bytes, other: bytes):
    assert not differ(one, other)
