from __future__ import annotations

import json
from typing import Any

import pytest

from penstock.extractor.results.proof import (
    Conclusion,
    Facts,
    History,
    Policies,
    Tally,
    conclude,
)
from penstock.foundation.redaction import Redactor

FACTS = Facts("2026-01-01T00:00:00+00:00", 1.23456, written=100)


def tally_of(*, items: int = 100, position: Any = 0, rejected: int = 0, reason: str = "full") -> Tally:
    tally = Tally()
    job = tally.of("jobs[0]", "users", "total")
    job.begin()
    job.receive(items)
    job.resume(2, 1)
    job.page(items=items, position=position, expected=100)
    job.rejected(rejected)
    job.end(reason)
    return tally


def concluded(
    tally: Tally, facts: Facts = FACTS, policies: Policies | None = None, history: History | None = None, *secrets: str
) -> Conclusion:
    rows, duplicates = {"shop.users": 100, "shop.users_tags": 7}, {"shop.users": 3}
    return conclude(
        tally,
        rows,
        duplicates,
        policies or Policies(),
        history or History(),
        facts=facts,
        clean=Redactor(secrets).clean,
    )


def test_the_report_of_a_good_run():
    assert json.loads(concluded(tally_of()).text) == {
        "version": 1,
        "status": "ok",
        "started": "2026-01-01T00:00:00+00:00",
        "seconds": 1.235,
        "resumed": False,
        "jobs": [
            {
                "job": "jobs[0]",
                "endpoint": "users",
                "runs": 1,
                "pages": 1,
                "requests": 2,
                "retries": 1,
                "items": 100,
                "rejected": 0,
                "unverified": 0,
                "expected": 100,
                "firstCursor": 0,
                "lastCursor": 0,
                "stopped": {"full": 1},
            }
        ],
        "tables": [
            {"name": "shop.users", "rows": 100, "duplicates": 3},
            {"name": "shop.users_tags", "rows": 7, "duplicates": None},
        ],
        "balance": {"received": 100, "written": 100, "rejected": 0},
        "warnings": [],
        "error": None,
    }


def test_a_warning_is_in_the_report_and_does_not_end_the_run():
    conclusion = concluded(tally_of(items=99), Facts("", 0, written=99))

    assert (conclusion.report["status"], conclusion.error) == ("warning", None)
    assert conclusion.report["warnings"] == conclusion.warnings
    assert len(conclusion.warnings) == 1


def test_an_error_ends_the_run_and_the_report_says_so():
    conclusion = concluded(tally_of(items=99), Facts("", 0, written=99), Policies(mismatch="error"))

    assert conclusion.error is not None
    assert "the API claims 100 at `total`" in conclusion.error
    assert (conclusion.report["status"], conclusion.report["error"]) == ("error", conclusion.error)


def test_a_run_that_failed_is_not_judged():
    facts = Facts("", 0, is_resumed=True, written=0, failure="The API has gone.")

    conclusion = concluded(tally_of(items=1), facts, Policies(mismatch="error", zero="error"))

    assert (conclusion.error, conclusion.warnings) == ("The API has gone.", [])
    assert (conclusion.report["status"], conclusion.report["resumed"]) == ("error", True)


def test_what_was_received_is_written_or_rejected():
    conclusion = concluded(tally_of(rejected=2), Facts("", 0, written=98))

    assert conclusion.error is None
    assert conclusion.report["balance"] == {"received": 100, "written": 98, "rejected": 2}


@pytest.mark.parametrize("written", [97, 99])
def test_a_record_that_was_lost_or_doubled_is_an_error_whatever_the_policies(written: int):
    policies = Policies(mismatch="ignore")

    conclusion = concluded(tally_of(rejected=2), Facts("", 0, written=written), policies)

    assert conclusion.error is not None
    assert conclusion.error.startswith(f"100 records were received, but {written} written and 2 rejected")


def test_the_history_is_kept_only_for_policies_that_need_it():
    history = History({"jobs[0] users": (1,)})

    assert concluded(tally_of(), history=history).history is None
    assert concluded(tally_of(), policies=Policies(zero="error"), history=history).history == {
        "items": {"jobs[0] users": [1, 100]}
    }


def test_secrets_are_hidden_everywhere():
    tally = tally_of(items=1, position="https://api/x?key=s3cret-token", reason="stopped at s3cret-token")
    tally.of("jobs[1]", "of/s3cret-token", "n").page(items=0, position={"next": "s3cret-token"})

    for facts in (Facts("", 0, written=1), Facts("", 0, failure="It was s3cret-token.")):
        conclusion = concluded(tally, facts, None, None, "s3cret-token")

        for shown in (conclusion.text, *conclusion.warnings, *conclusion.lines, conclusion.error or ""):
            assert "s3cret" not in shown
        assert "[hidden]" in conclusion.text
        assert any("[hidden]" in shown for shown in [*conclusion.warnings, conclusion.error or ""])


def test_a_long_cursor_is_cut_after_it_is_cleaned():
    position = "a" * 95 + "s3cret-token" + "b" * 500

    cursor = concluded(tally_of(position=position), FACTS, None, None, "s3cret-token").report["jobs"][0]["lastCursor"]

    assert cursor == f"{'a' * 95}[hidd…"


@pytest.mark.parametrize(("position", "shown"), [(None, None), (300, 300), ("abc", "abc"), ([1, 2, 3], "[1,2,3]")])
def test_a_cursor_is_shown_as_it_is(position: Any, shown: Any):
    assert concluded(tally_of(position=position)).report["jobs"][0]["firstCursor"] == shown


def test_words_of_the_report_itself_are_no_secrets():
    conclusion = concluded(tally_of(), FACTS, None, None, "jobs", "status", "error", "rows")

    assert conclusion.report["status"] == "ok"
    assert conclusion.report["tables"][0]["rows"] == 100


def test_reasons_that_differ_only_in_a_secret_are_one():
    tally = tally_of(reason="stopped at one-secret")
    tally.of("jobs[0]", "users").end("stopped at another-one")

    stopped = concluded(tally, FACTS, None, None, "one-secret", "another-one").report["jobs"][0]["stopped"]

    assert stopped == {"stopped at [hidden]": 2}
