from __future__ import annotations

from typing import Any

from penstock.extractor.results.proof.lines import MAX_LINES, render_lines

JOB: dict[str, Any] = {
    "endpoint": "users",
    "runs": 1,
    "pages": 1,
    "requests": 1,
    "retries": 0,
    "items": 1,
    "rejected": 0,
    "unverified": 0,
    "expected": None,
}


def lines(jobs: list[dict[str, Any]], tables: list[dict[str, Any]]) -> list[str]:
    return render_lines({"jobs": jobs, "tables": tables})


def test_a_line_per_job_and_per_table_in_columns():
    many = {"endpoint": "users/{id}/orders", "runs": 3, "pages": 1200, "requests": 1234, "items": 1234567}
    notes = {"expected": 1234570, "retries": 34, "rejected": 2, "unverified": 5}

    assert lines(
        [JOB, JOB | many | notes],
        [{"name": "shop.users", "rows": 1, "duplicates": None}, {"name": "orders", "rows": 1234565, "duplicates": 1}],
    ) == [
        "Job  users                       1 item       1 page       1 request",
        "Job  users/{id}/orders  1,234,567 items  1,200 pages  1,234 requests  3 runs; 1,234,570 expected; 34 retried; "
        "2 rejected; 5 of unknown length",
        "Table  shop.users           1 row",
        "Table  orders      1,234,565 rows  1 duplicate",
    ]


def test_nothing_is_no_lines():
    assert lines([], []) == []


def test_no_more_is_printed_than_somebody_reads():
    printed = lines([JOB] * (MAX_LINES + 2000), [])

    assert len(printed) == MAX_LINES + 1
    assert printed[-1] == "And 2,000 more jobs: see report.json."


def test_long_names_are_cut():
    (line,) = lines([JOB | {"endpoint": "x" * 500}], [])

    assert len(line) < 120
