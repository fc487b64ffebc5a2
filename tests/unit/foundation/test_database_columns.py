"""JSON columns: what is read is what the standard library reads."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.foundation.database.columns import decode_json

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
DOCUMENTS = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20)


@given(DOCUMENTS)
def test_a_document_is_read_as_it_was_stored(document: Any) -> None:
    assert decode_json(json.dumps(document)) == document
    assert decode_json(json.dumps(document, ensure_ascii=False).encode("utf-8", "surrogatepass")) == document


@pytest.mark.parametrize("text", ["Infinity", "1e400", '"\\ud800"', '{"a": 1, "a": 2}', str(10**40)])
def test_what_only_the_standard_library_reads_is_read_too(text: str) -> None:
    assert decode_json(text) == json.loads(text)
