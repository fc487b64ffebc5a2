"""Filters of subscriptions."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.services.notification.filters import COMPARE, matches
from penstock.services.notification.models import Filter

SCALARS = st.one_of(st.text(max_size=5), st.integers(), st.floats(allow_nan=False), st.booleans())
PAYLOAD: dict[str, Any] = {
    "job": {"id": "77", "component": {"id": "ex-generic-v2"}, "tasks": []},
    "durationOvertimePercentage": 0.25,
    "isLast": True,
    "count": 10,
}


@pytest.mark.parametrize(
    ("field", "operator", "value"),
    [
        ("job.component.id", "==", "ex-generic-v2"),
        ("job.component.id", "!=", "other"),
        ("job.id", "==", "77"),
        ("job.id", "==", 77),
        ("job.id", ">", "9"),
        ("durationOvertimePercentage", ">=", "0.2"),
        ("durationOvertimePercentage", ">=", 0.25),
        ("durationOvertimePercentage", "<", "1e3"),
        ("count", "==", "10.0"),
        ("count", "<=", 10),
        ("isLast", "==", True),
        ("isLast", "==", "true"),
        ("job.configuration.id", "!=", "shop"),
        ("job.tasks", "!=", "x"),
        ("job.id.more", "!=", "x"),
    ],
)
def test_a_filter_that_holds(field: str, operator: Any, value: Any) -> None:
    assert matches(Filter(field, value, operator), PAYLOAD)


@pytest.mark.parametrize(
    ("field", "operator", "value"),
    [
        ("job.component.id", "==", "EX-generic-v2"),
        ("job.id", "==", "077"),
        ("job.id", ">", "100"),
        ("durationOvertimePercentage", ">=", "0.3"),
        ("durationOvertimePercentage", ">", "NaN"),
        ("job.configuration.id", "==", "shop"),
        ("job.configuration.id", "<", "shop"),
        ("job", "==", "77"),
        ("count", "==", f"10.{'0' * 100}"),
    ],
)
def test_a_filter_that_does_not_hold(field: str, operator: Any, value: Any) -> None:
    assert not matches(Filter(field, value, operator), PAYLOAD)


@given(st.sampled_from(list(COMPARE)), SCALARS, SCALARS)
def test_any_two_values_can_be_compared(operator: Any, left: Any, right: Any) -> None:
    opposite = {"==": "!=", "!=": "==", ">": "<=", "<=": ">", "<": ">=", ">=": "<"}[operator]
    payload = {"a": left}

    assert matches(Filter("a", right, operator), payload) != matches(Filter("a", right, opposite), payload)  # type: ignore[arg-type]
