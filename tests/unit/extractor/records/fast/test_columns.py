"""Columns of numbers in their source text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.records.fast.columns import Numbers


def numbers(*sources: str) -> Numbers:
    return Numbers("\n".join(sources).encode(), len(sources))


@given(st.lists(st.integers(0, 10**30), min_size=1))
def test_the_extremes_of_whole_numbers_are_those_of_their_values(values: list[int]) -> None:
    column = numbers(*map(str, values))

    assert column.extreme(is_low=False) == max(values)
    assert column.extreme(is_low=True) == min(values)


@pytest.mark.parametrize("sources", [("1", "-2"), ("1", "null"), ("1", "2.5"), ("1", "1e3"), ("9" * 101, "1")])
def test_what_takes_a_closer_look_has_no_extreme(sources: tuple[str, ...]) -> None:
    assert numbers(*sources).extreme(is_low=False) is None
