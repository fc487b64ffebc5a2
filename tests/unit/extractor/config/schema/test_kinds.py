"""What the schema says of a single setting is what the extractor can read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from jsonschema import Draft7Validator

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.section import Section
from penstock.extractor.config.schema.kinds import DEFINITIONS, EXACT, FLAG, TEXT, TEXTS, WHOLE, Schema

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**6), 10**6),
    st.floats(allow_nan=False, allow_infinity=False, width=32),
    st.sampled_from(["", "0", "1", "true", "false", "12", "-3", "1.5", ".5", "1e3", " 7", "abc", "٣"]),
    st.text(max_size=4),
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=2), inner, max_size=2)
)


def is_accepted(kind: Schema, value: Any) -> bool:
    return Draft7Validator({**kind, "definitions": DEFINITIONS}).is_valid(value)


def is_read(read: Callable[[Section], Any], value: Any) -> bool:
    try:
        read(Section({"x": value}, "here"))
    except UserError:
        return False
    return True


@given(VALUES)
@example(True)
@example([[]])
def test_texts_and_flags_are_accepted_exactly_if_they_are_read(value: Any) -> None:
    assert is_accepted(TEXT, value) == is_read(lambda section: section.text("x"), value)
    assert is_accepted(TEXTS, value) == is_read(lambda section: section.texts("x"), value)
    assert is_accepted(FLAG, value) == is_read(lambda section: section.flag("x"), value)


@given(VALUES)
def test_numbers_that_are_accepted_are_read(value: Any) -> None:
    if is_accepted(WHOLE, value):
        assert is_read(lambda section: section.integer("x"), value)
    if is_accepted(EXACT, value):
        assert is_read(lambda section: section.exact("x"), value)


@pytest.mark.parametrize("value", [5, 0, -1, "12", None])
def test_numbers_may_be_written_as_text(value: Any) -> None:
    assert is_accepted(WHOLE, value)
    assert is_accepted(EXACT, value)
    assert not is_accepted(WHOLE, "many")
    assert not is_accepted(EXACT, "1.5")
