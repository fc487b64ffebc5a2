"""A component's lines: what level they are."""

from __future__ import annotations

import pytest

from penstock.runtime.log import LogLine, LogQuota, read_errors, read_line


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("plain text", "info", "plain text"),
        ("[2026-01-01 00:00:00] extractor.INFO: Extracted 5 rows. [] []", "info", "Extracted 5 rows."),
        ("[2026-01-01 00:00:00] extractor.WARNING: It has no data. [] []", "warn", "It has no data."),
        ("[2026-01-01T00:00:00.1+00:00] app.ERROR: Broken. [] []", "error", "Broken."),
        ("[x] app.CRITICAL: Broken [] []", "error", "Broken"),
        ("[x] app.DEBUG: GET / [] []", "info", "GET /"),
        ('[x] app.INFO: with context {"a": [1]} []', "info", "with context"),
        ("[x] app.INFO: without brackets", "info", "without brackets"),
        ("[x] app.NOTICE: unknown level [] []", "info", "unknown level"),
        ("[not a record", "info", "[not a record"),
        ("ERROR: no record either", "info", "ERROR: no record either"),
        ("[x] app.INFO: a [] list [] []", "info", "a [] list"),
        ("", "info", ""),
    ],
)
def test_a_record_has_a_level_and_any_other_line_is_information(text: str, kind: str, message: str) -> None:
    line = read_line(text)

    assert (line.type, line.message) == (kind, message)


def test_a_hostile_line_is_read_at_once() -> None:
    line = read_line("[x] app.INFO: " + "{" * 100_000 + " []" * 10_000)

    assert line.type == "info"


def test_a_line_that_looks_like_many_contexts_is_read_at_once() -> None:
    line = "[2026-01-01T00:00:00+00:00] logger.WARNING: " + " {" * 100_000 + " [] []"

    assert read_line(line).type == "warn"


def test_standard_error_is_one_error_and_records_keep_their_levels() -> None:
    text = "Traceback\n[2026-01-01] app.WARNING: slow [] []\n  line 3\nValueError"

    assert read_errors(text) == [LogLine("warn", "slow"), LogLine("error", "Traceback\n  line 3\nValueError")]
    assert read_errors("") == []
    assert read_errors("[2026-01-01] app.INFO: on [] []") == [LogLine("info", "on")]


def test_a_log_is_stored_up_to_its_quota_without_holes() -> None:
    by_lines, by_size = LogQuota(lines=3), LogQuota(characters=10)

    assert [by_lines.admit("x") for _ in range(5)] == [True, True, True, False, False]
    assert [by_size.admit(text) for text in ("12345", "123456", "1")] == [True, False, False]
    assert by_lines.message == "The log is longer than a job may keep: its last 2 lines were left out."
