"""Timeouts as requests write them."""

from __future__ import annotations

import pytest

from penstock.services.query.operations import parse_duration


@pytest.mark.parametrize(
    ("text", "seconds"), [("60s", 60), ("1m30s", 90), ("1.5h", 5400), ("500ms", 0.5), ("1h0m1s", 3601)]
)
def test_a_duration_is_numbers_with_units(text: str, seconds: float) -> None:
    assert parse_duration(text) == pytest.approx(seconds)


@pytest.mark.parametrize("text", ["", "60", "s", "-1s", "0s", "1 s", "60s ", "1d", "١s", "1e9s", "nan", "60s\n", "1.s"])
def test_anything_else_is_not_a_duration(text: str) -> None:
    assert parse_duration(text) is None
