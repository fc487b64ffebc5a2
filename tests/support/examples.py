"""How many examples tests try by default: a part of them, the same in every run. `make soak` tries all of them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, TypeVar
from zlib import crc32

import pytest
from hypothesis import settings

T = TypeVar("T")
IS_SOAK = os.environ.get("PENSTOCK_EXAMPLES") == "explore"
PARTS = 3
POSTGRESQL, SQLITE, SERVICES = "postgresql", "sqlite", "tests/unit/services/"


def examples(count: int, **others: Any) -> settings:
    """As `@settings(max_examples=count)`, at length only."""
    return settings(max_examples=count if IS_SOAK else max(count // 8, 5), **others)


def part_of(values: Sequence[T], place: int, parts: int = PARTS) -> list[T]:
    """Every third of the values; the next place gets the next third, so that three neighbours get all of them."""
    return list(values if IS_SOAK else values[place % parts :: parts])


def list_left_out(items: Sequence[pytest.Item]) -> list[pytest.Item]:
    """Cases on PostgreSQL of which most are left out: the first of each file and a third of the others stay.

    What differs between the databases is the SQL, and cases of a service send much the same statements: every row that
    reads is tried on PostgreSQL by test_roles.py, and every field that is written by test_names.py. All cases run on
    SQLite, and tests of the database itself, in `foundation`, on both. Which ones stay follows from their names, so
    that a new test changes nothing about the others.
    """
    names, tried = {item.nodeid for item in items}, set[str]()
    left_out = list[pytest.Item]()
    for item in items:
        if _is_on_postgresql(item) and item.nodeid.replace(POSTGRESQL, SQLITE) in names:
            file = item.nodeid.partition("::")[0]
            left_out += [item] if file in tried and crc32(item.nodeid.encode()) % PARTS else []
            tried.add(file)
    return left_out


def _is_on_postgresql(item: pytest.Item) -> bool:
    cases: Any = getattr(item, "callspec", None)
    parameters: dict[str, Any] = cases.params if cases else {}
    is_on_postgresql = any(isinstance(each, str) and each == POSTGRESQL for each in parameters.values())
    return is_on_postgresql and item.nodeid.startswith(SERVICES) and not item.get_closest_marker("every_twin")
