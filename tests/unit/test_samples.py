"""What tests try by default is a part of all values, and no value is left out everywhere."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.support.examples import IS_SOAK, PARTS, part_of


@given(values=st.lists(st.integers(), max_size=30), place=st.integers(0, 1000))
def test_neighbours_get_all_values_and_each_its_own_part(values: list[int], place: int) -> None:
    parts = [part_of(values, place + number) for number in range(PARTS)]

    assert sorted(value for part in parts for value in part) == sorted(values * (PARTS if IS_SOAK else 1))
