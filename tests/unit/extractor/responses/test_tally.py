from __future__ import annotations

from typing import Any

import pytest

from penstock.extractor.base.numbers import Float
from penstock.extractor.responses.tally import MAX_CONCURRENT, MAX_REMEMBERED, JobTally, Tally

NOTHING: dict[str, Any] = {"items": 0}


def users() -> JobTally:
    return Tally().of("parameters.config.jobs[0]", "users")


def test_pages_add_up():
    job = users()
    job.begin()

    job.resume(2, 1)
    job.count_request()
    job.count_retry()
    job.count_request()
    job.page(items=100)
    job.page(items=7, is_verified=False)
    job.rejected(4)

    assert (job.runs, job.pages, job.requests, job.retries) == (1, 2, 4, 2)
    assert (job.items, job.rejected_items, job.unverified) == (107, 4, 1)


def test_a_job_has_one_tally_and_an_iteration_another():
    tally = Tally()

    first = tally.of("iteration 0 jobs[0]", "users")

    assert tally.of("iteration 0 jobs[0]", "users") is first
    assert tally.of("iteration 1 jobs[0]", "users") is not first
    assert [job.job for job in tally.jobs] == ["iteration 0 jobs[0]", "iteration 1 jobs[0]"]


def test_the_positions_of_the_first_and_the_last_page_are_kept():
    job = users()
    for position in (0, 100, 200):
        job.page(**NOTHING, position=position)

    assert (job.first, job.last) == (0, 200)


def test_a_first_page_without_a_position_stays_the_first():
    job = users()
    job.page(**NOTHING, position=None)
    job.page(**NOTHING, position="abc")

    assert (job.first, job.last) == (None, "abc")


def test_of_a_wrapped_position_only_the_innermost_is_kept():
    job = users()

    job.page(**NOTHING, position=[{"ids": list(range(1000))}, [None, 300]])

    assert (job.first, job.last) == (300, 300)


def test_the_last_claim_of_a_run_counts():
    job = users()
    job.begin()
    for total in (10, 12, 11):
        job.page(**NOTHING, expected=total)

    assert job.expected == 11


def test_claims_of_several_runs_are_summed():
    job = users()
    for totals in ((10, 11), (5,), (0, 3)):
        job.begin()
        for total in totals:
            job.page(**NOTHING, expected=total)

    assert job.expected == 19


def test_runs_that_begin_before_others_have_ended_are_told_apart_by_their_names():
    job = users()
    job.begin()
    job.begin()
    for run, total in (("a", 10), ("b", 4), ("a", 10), ("b", 5), ("a", 11)):
        job.page(**NOTHING, expected=total, run=run)

    assert job.expected == 16


def test_claims_are_not_remembered_for_ever():
    job = users()
    for run in range(3 * MAX_CONCURRENT):
        job.page(**NOTHING, expected=2, run=run)
        job.page(**NOTHING, expected=3, run=run)

    assert job.expected == 9 * MAX_CONCURRENT
    assert len(job.claims) == MAX_CONCURRENT


def test_equal_claims_of_two_runs_both_count():
    job = users()
    for _ in range(2):
        job.begin()
        job.page(**NOTHING, expected=0)
        job.page(**NOTHING, expected=4)

    assert job.expected == 8


@pytest.mark.parametrize(("claim", "number"), [(7, 7), ("7", 7), (Float("7.0"), 7), (0, 0)])
def test_a_claim_may_be_a_number_or_its_text(claim: Any, number: int):
    job = users()
    job.page(**NOTHING, expected=claim)

    assert job.expected == number


@pytest.mark.parametrize("claim", [None, "many", True, -1, "7.5", [7], {"total": 7}])
def test_anything_else_is_no_claim(claim: Any):
    job = users()
    job.page(**NOTHING, expected=claim)

    assert job.expected is None


def test_reasons_to_stop_are_counted_and_the_most_common_come_first():
    job = users()
    for reason in ("full", "empty", "empty", ""):
        job.end(reason)

    assert list(job.stopped.items()) == [("empty", 2), ("full", 1), ("No further page.", 1)]


def test_rare_reasons_are_told_together_and_none_is_lost():
    job = users()
    for number in range(MAX_REMEMBERED + 50):
        job.end(f"stopped at {number}")
    job.end("stopped at 7")

    assert len(job.reasons) <= MAX_REMEMBERED + 1
    assert next(iter(job.stopped.items())) == ("stopped at 7", 2)
    assert len(job.stopped) == 6
    assert sum(job.stopped.values()) == MAX_REMEMBERED + 51
