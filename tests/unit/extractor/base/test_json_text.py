from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.base.decode import decode
from penstock.extractor.base.json_text import json_text, original_length

SCALARS = st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["Cs"]))
NAMES = st.text(st.characters(exclude_categories=["Cs", "Cc"]))
DOCUMENTS = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(NAMES, inner), max_leaves=12)


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (b'{"a": [1, 2], "b": {}}', '{"a":[1,2],"b":{}}'),
        (b'"a/b"', '"a\\/b"'),
        ('{"é/": "😀"}'.encode(), r'{"\u00e9\/":"\ud83d\ude00"}'),
        (b'"\\u0000\\n\\t\\u007f"', r'"\u0000\n\t' + "\x7f" + '"'),
        (b'"\\"\\\\"', r'"\"\\"'),
        (b"[true, false, null]", "[true,false,null]"),
        (b"1.0", "1"),
        (b"0.10", "0.10"),
        (b"0.5", "0.5"),
        (b"123456789012345678901", "123456789012345678901"),
        (b"[]", "[]"),
    ],
)
def test_json_is_compact_ascii_and_escapes_slashes(body: bytes, text: str):
    assert json_text(decode(body).document) == text


@pytest.mark.parametrize(("value", "text"), [(0.1, "0.1"), (1.0, "1"), (1e25, "1e+25"), (1e17, "1.0e+17")])
def test_a_decimal_of_a_configuration_is_written_as_it_was(value: float, text: str):
    assert json_text(value) == text
    assert float(text) == value


@given(DOCUMENTS)
def test_json_reads_back(document: Any):
    text = json_text(document)

    assert json.loads(text) == document
    assert text.isascii()


@given(st.decimals(allow_nan=False, allow_infinity=False))
def test_no_decimal_changes_its_value(number: Decimal):
    source = f"{number:e}" if "e" in f"{number:e}".lower() else f"{number}.0"

    assert Decimal(json_text(decode(f"[{source}]".encode()).document)[1:-1]) == number


@pytest.mark.parametrize(
    ("body", "length"),
    [
        (b'{"a": 1}', 7),
        (b"[0.1]", len("[0.10000000000000001]")),
        ('["é"]'.encode(), len(r'["\u00e9"]')),
        (b'["/"]', 6),
        (b"[]", 2),
        (b"null", 4),
    ],
)
def test_the_original_counts_the_bytes_that_it_would_write(body: bytes, length: int):
    assert original_length(decode(body).document) == length
