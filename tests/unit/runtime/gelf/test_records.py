"""GELF records: what they say, and how much of it is shown."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.runtime.gelf.records import CAMOUFLAGE, Record, read_record, to_line
from penstock.runtime.log import LogLine

WHOLE = {"version": "1.1", "host": "h", "level": 6, "timestamp": 1.5, "short_message": "hello", "full_message": "all"}


def record(**fields: Any) -> Record | None:
    return read_record(json.dumps({**WHOLE, **fields}).encode())


def test_a_record_is_read() -> None:
    assert record(_page=3) == Record(level=200, short_message="hello", full_message="all", extra={"page": 3})


@pytest.mark.parametrize("name", ["host", "level", "timestamp", "short_message"])
def test_a_record_that_lacks_something_is_ignored(name: str) -> None:
    assert record(**{name: None}) is None
    assert read_record(json.dumps({key: value for key, value in WHOLE.items() if key != name}).encode()) is None


@pytest.mark.parametrize(
    ("said", "level"),
    [
        *((0, 600), (1, 550), (2, 500), (3, 400), (4, 300), (5, 250), (6, 200), (7, 100), ("3", 400), (400, 400)),
        *((100, 100), (255, 250), (9000, 600), (8, 100), (6.0, 200)),
    ],
)
def test_levels_of_syslog_and_of_loggers_are_known(said: Any, level: int) -> None:
    found = record(level=said)

    assert found
    assert found.level == level


@pytest.mark.parametrize("said", [True, "high", -1, [], {}, "nan"])
def test_what_is_no_level_makes_no_record(said: Any) -> None:
    assert record(level=said) is None


@given(st.binary() | st.recursive(st.none() | st.text(), st.lists).map(lambda node: json.dumps(node).encode()))
def test_nonsense_is_no_record(content: bytes) -> None:
    assert read_record(content) is None


json_values = st.none() | st.booleans() | st.floats() | st.integers() | st.text() | st.lists(st.integers())


@given(st.dictionaries(st.sampled_from([*WHOLE, "_extra"]), json_values))
def test_any_object_is_a_record_or_none(fields: dict[str, Any]) -> None:
    found = read_record(json.dumps({**WHOLE, **fields}).encode())

    shown = to_line(found, {"100": "verbose"}) if found else None
    assert (found is None) == (shown is None)


@pytest.mark.parametrize(
    ("level", "line"),
    [
        (7, None),
        (6, LogLine("info", "hello")),
        (5, LogLine("info", "hello")),
        (4, LogLine("warn", "hello")),
        (3, LogLine("error", "hello")),
        (2, LogLine("error", CAMOUFLAGE, internal="all")),
        (1, LogLine("error", CAMOUFLAGE, internal="all")),
        (0, LogLine("error", CAMOUFLAGE, internal="all")),
    ],
)
def test_how_much_is_shown_by_itself(level: int, line: LogLine | None) -> None:
    found = record(level=level)

    assert found
    assert to_line(found, {}) == line


def test_a_component_may_show_more_or_less() -> None:
    found = record(_page=3)

    assert found
    assert to_line(found, {"200": "verbose"}) == LogLine("info", 'all\n{"page":3}')
    assert to_line(found, {"200": "none"}) is None
    assert to_line(found, {"200": "camouflage"}) == LogLine("info", CAMOUFLAGE, internal='all\n{"page":3}')
    assert to_line(found, {"100": "none", "300": "none"}) == LogLine("info", "hello")
