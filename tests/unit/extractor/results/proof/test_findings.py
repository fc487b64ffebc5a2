from __future__ import annotations

from typing import Any

import pytest

from penstock.extractor.config.policies import Policies
from penstock.extractor.responses.tally import JobTally
from penstock.extractor.results.proof.findings import Finding, find
from penstock.extractor.results.proof.history import History

JOB = "The job 'users' at `jobs[0]`"


def users(items: int, **facts: Any) -> JobTally:
    numbers: dict[str, Any] = {"runs": 1, "pages": 1, "items": items}
    return JobTally("jobs[0]", "users", **numbers | facts)


def found(job: JobTally, policies: Policies, *before: int) -> list[Finding]:
    return find([job], policies, History({"jobs[0] users": before} if before else {}))


@pytest.mark.parametrize(("claimed", "is_found"), [(99, True), (100, False), (101, True)])
def test_another_number_than_the_api_claims_is_a_mismatch(claimed: int, is_found: bool):
    assert bool(found(users(100, claim="meta.total", expected=claimed), Policies())) is is_found


def test_a_mismatch_says_what_which_job_and_how_to_mend_or_silence_it():
    (finding,) = found(users(1990, claim="meta.total", expected=2000), Policies(mismatch="error"))

    assert finding == Finding(
        "error",
        f"{JOB} received 1,990 items, but the API claims 2,000 at `meta.total`. Check its pagination, and whether the "
        'data changed in the meantime. To accept it, set `proof.mismatch` to "warning" or "ignore".',
    )


def test_a_claim_that_no_response_makes_is_told():
    (finding,) = found(users(5, claim="meta.totl"), Policies())

    assert finding.action == "warning"
    assert "no response has a number there. Check `expectedCount`." in finding.sentence


def test_a_job_that_got_no_page_claims_nothing():
    assert found(users(0, pages=0, claim="total"), Policies()) == []


def test_without_expected_count_there_is_no_mismatch():
    assert found(users(5), Policies(mismatch="error")) == []


def test_nothing_at_all_is_found_without_a_history():
    (finding,) = found(users(0), Policies(zero="error"))

    assert finding.sentence.startswith(f"{JOB} brought no items. ")


def test_nothing_is_found_where_there_was_something():
    (finding,) = found(users(0), Policies(zero="warning"), 0, 1200)

    assert finding.sentence == (
        f"{JOB} brought no items, although it brought 1,200 in an earlier run. Check what it asks for. "
        'To accept it, set `proof.zero` to "ignore".'
    )


def test_nothing_is_nothing_new_where_there_never_was_anything():
    assert found(users(0), Policies(zero="error"), 0, 0) == []


def test_a_child_job_that_was_never_asked_for_is_found_only_if_it_used_to_be():
    assert found(users(0, runs=0, pages=0), Policies(zero="error")) == []
    assert len(found(users(0, runs=0, pages=0), Policies(zero="error"), 3)) == 1


@pytest.mark.parametrize(("items", "is_found"), [(100, False), (50, False), (49, True), (0, True)])
def test_a_drop_is_more_than_the_percentage_below_the_median(items: int, is_found: bool):
    assert bool(found(users(items), Policies(drop="warning"), 90, 100, 5000)) is is_found


@pytest.mark.parametrize(
    ("percent", "items", "is_found"), [(20, 80, False), (20, 79, True), (0, 99, True), (99, 1, False)]
)
def test_the_percentage_can_be_set(percent: int, items: int, is_found: bool):
    assert bool(found(users(items), Policies(drop="warning", drop_percent=percent), 100)) is is_found


def test_a_drop_says_how_large_it_is():
    (finding,) = found(users(40), Policies(drop="warning"), 900, 1000, 1101, 1400)

    assert finding.sentence == (
        f"{JOB} brought 40 items, which is 96 % fewer than usual: the median of the last 4 runs is 1,050.5. "
        'Check what it asks for. To accept it, set `proof.drop` to "ignore".'
    )


def test_only_the_last_runs_count():
    assert found(users(10), Policies(drop="error", runs=2), 1000, 1000, 1000, 10, 10) == []


def test_without_a_history_there_is_no_drop():
    assert found(users(0), Policies(drop="error")) == []


def test_what_is_ignored_is_not_found():
    job = users(0, claim="total", expected=5)

    assert found(job, Policies(mismatch="ignore", zero="ignore", drop="ignore"), 100) == []


def test_a_milder_policy_does_not_hide_a_stricter_one():
    assert [each.action for each in found(users(0), Policies(zero="warning", drop="error"), 100)] == [
        "warning",
        "error",
    ]
