from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.base.integers import MAX_LIMIT, exact_integer, integer_part, integer_parts, leading_integer
from penstock.extractor.base.numbers import Float


@pytest.mark.parametrize(
    ("value", "whole"),
    [(3, 3), ("3", 3), (" +3.9", 3), ("-.5", 0), ("1.", 1), (3.9, 3), (Float("3e2"), 300), (-2.5, -2)],
)
def test_numbers_are_cut_towards_zero(value: Any, whole: int):
    assert integer_part(value) == whole


@pytest.mark.parametrize("value", [None, True, "", ".", "3 ", "3x", "1e", [3], {"a": 3}, float("inf"), "٣", "1_0"])
def test_anything_else_is_none(value: Any):
    assert integer_part(value) is None


@pytest.mark.parametrize(("value", "whole"), [(3, 3), ("3.0", 3), (3.0, 3), ("3.5", None), (3.5, None), ("x", None)])
def test_an_exact_number_has_no_fraction(value: Any, whole: int | None):
    assert exact_integer(value) == whole


@pytest.mark.parametrize(
    ("value", "whole"),
    [("12abc", 12), (" 12", 12), ("1e3x", 1000), ("abc", 0), (None, 0), ([], 0), ({}, 1), ([0], 1), (True, 1)],
)
def test_a_value_may_start_with_a_number(value: Any, whole: int):
    assert leading_integer(value) == whole


@given(st.integers())
def test_whole_numbers_stay_what_they_are(number: int):
    assert integer_part(number) == integer_part(str(number)) == exact_integer(str(number)) == number
    assert leading_integer(f"{number} of many") == max(-MAX_LIMIT, min(number, MAX_LIMIT))


NUMBERS = st.integers() | st.integers(10**1990, 10**2010)


@given(st.lists(NUMBERS) | st.lists(NUMBERS | st.booleans() | st.none() | st.text(max_size=3)))
def test_many_numbers_are_cut_as_one_is(values: list[Any]):
    assert list(integer_parts(values)) == list(map(integer_part, values))


@given(st.text() | st.from_regex(r"[0-9]{0,40}(\.[0-9]{0,9})?([eE][0-9]{0,9})?", fullmatch=True))
def test_any_text_gives_a_number_that_can_be_written(text: str):
    assert len(str(integer_part(text))) < 4300
    assert abs(leading_integer(text)) <= MAX_LIMIT
