from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.base.numbers import Float
from penstock.extractor.requests.journal.extra import pack, unpack

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
decimals = st.sampled_from(["1.0", "0.10", "-1e400", "12345678901234567890.5"]).map(Float)
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | decimals | texts
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3))


def kinds(value: Any) -> Any:
    """The value with the type of everything in it: 1, 1.0 and true are equal to Python, a decimal is to its text."""
    if isinstance(value, dict):
        return {key: kinds(item) for key, item in value.items()}
    return [kinds(item) for item in value] if isinstance(value, list) else (type(value), value)


@given(st.dictionaries(texts, values, max_size=4))
def test_columns_come_back_as_they_were_in_their_order(extra: dict[str, Any]):
    again = unpack(pack(extra))

    assert kinds(again) == kinds(extra)
    assert list(again) == list(extra)


@pytest.mark.parametrize("number", [2**63 - 1, 2**63, 2**64, -(2**63), -(2**63) - 1, 10**30])
def test_whole_numbers_may_have_any_size(number: int):
    assert unpack(pack({"n": number, "in": [{"n": number}]})) == {"n": number, "in": [{"n": number}]}


def test_no_columns_take_no_bytes():
    assert pack({}) == b""
    assert unpack(b"") == {}
