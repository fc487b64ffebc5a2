"""How many examples tests try by default: a part of them, the same in every run. `make soak` tries all of them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import pytest
from hypothesis import settings

T = TypeVar("T")
IS_SOAK = os.environ.get("PENSTOCK_EXAMPLES") == "explore"
PARTS = 3
POSTGRESQL, SERVICES = "postgresql", "tests/unit/services/"


def examples(count: int, **others: Any) -> settings:
    """As `@settings(max_examples=count)`, at length only."""
    return settings(max_examples=count if IS_SOAK else max(count // 8, 5), **others)


def part_of(values: Sequence[T], place: int, parts: int = PARTS) -> list[T]:
    """Every third of the values; the next place gets the next third, so that three neighbours get all of them."""
    return list(values if IS_SOAK else values[place % parts :: parts])


def list_left_out(items: Iterable[pytest.Item]) -> list[pytest.Item]:
    """Cases on PostgreSQL of functions that have many: the first and every third of each function stay.

    What differs between the databases is the SQL, and the cases of a function send the same statements with other
    values. Every case runs on SQLite; tests of the database itself, in `foundation`, run all on both.
    """
    seen, left_out = dict[str, int](), list[pytest.Item]()
    for item in items:
        if _is_twin(item):
            function = item.nodeid.partition("[")[0]
            number = seen[function] = seen.get(function, -1) + 1
            left_out += [item] if number % PARTS else []
    return left_out


def _is_twin(item: pytest.Item) -> bool:
    cases: Any = getattr(item, "callspec", None)
    parameters: dict[str, Any] = cases.params if cases else {}
    is_on_postgresql = any(isinstance(each, str) and each == POSTGRESQL for each in parameters.values())
    return is_on_postgresql and item.nodeid.startswith(SERVICES) and not item.get_closest_marker("every_twin")
