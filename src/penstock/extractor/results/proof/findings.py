"""Checks a run against the policies: messages about what looks wrong, in which job, and how to fix or accept it."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from penstock.extractor.config.policies import Action, Policies
from penstock.extractor.responses.tally import JobTally
from penstock.extractor.results.proof.history import History, median


class Finding(msgspec.Struct, frozen=True):
    action: Action
    sentence: str


def find(jobs: list[JobTally], policies: Policies, history: History) -> list[Finding]:
    """Returns all findings that are not ignored, job by job."""
    findings = [finding for job in jobs for finding in _all(job, policies, history)]
    return [finding for finding in findings if finding.action != "ignore"]


def _all(job: JobTally, policies: Policies, history: History) -> Iterator[Finding]:
    before = history.before(job, policies.runs)
    checks: tuple[tuple[Action, str, str], ...] = (
        (policies.mismatch, "mismatch", _mismatch(job)),
        (policies.incomplete, "incomplete", _incomplete(job)),
        (policies.incomplete, "incomplete", _lost_field(job)),
        (policies.zero, "zero", _zero(job, before)),
        (policies.drop, "drop", _drop(job, before, policies.drop_percent)),
    )
    if job.empty:
        yield Finding("warning", f"{_named(job)} {_empty(job)}")
    for action, name, what in checks:
        if what:
            yield Finding(action, f"{_named(job)} {what} {_silence(name, action)}")


def _mismatch(job: JobTally) -> str:
    if not job.claim or not job.pages or job.items == job.expected:
        return ""
    if job.expected is None:
        return f"was to be held against `{job.claim}`, but no response has a number there. Check `expectedCount`."
    return (
        f"received {count(job.items, 'item')}, but the API claims {job.expected:,} at `{job.claim}`. "
        "Check its pagination, and whether the data changed in the meantime."
    )


def _incomplete(job: JobTally) -> str:
    others = f" The same happened in {job.early - 1:,} of its other runs." if job.early > 1 else ""
    return f"{job.first_early}{others}" if job.early else ""


def _lost_field(job: JobTally) -> str:
    if not job.arrays or job.lost < job.looked:
        return ""
    return f"found nothing at `{job.field}`, its `dataField`, on any page. {job.arrays}"


def _empty(job: JobTally) -> str:
    return (
        f"received {count(job.empty, 'response')} with an empty body, the first for {job.first_empty}. Records may be "
        'missing. If the API means that there are none, set `emptyResponse` to "ignore"; to fail the run, to "error".'
    )


def _zero(job: JobTally, before: tuple[int, ...]) -> str:
    if job.items:
        return ""
    if any(before):
        return f"brought no items, although it brought {max(before):,} in an earlier run. Check what it asks for."
    # A child job whose parent has no records did not run.
    return "brought no items. Check what it asks for." if job.runs and not before else ""


def _drop(job: JobTally, before: tuple[int, ...], percent: int) -> str:
    usual = median(before) if before else 0.0
    if job.items * 100 >= usual * (100 - percent):
        return ""
    runs = "the last run brought" if len(before) == 1 else f"the median of the last {len(before)} runs is"
    return (
        f"brought {count(job.items, 'item')}, which is {100 - job.items * 100 / usual:.0f} % fewer than usual: "
        f"{runs} {usual:,.10g}. Check what it asks for."
    )


def _named(job: JobTally) -> str:
    return f"The job '{job.name}' at `{job.job}`"


def _silence(name: str, action: Action) -> str:
    less = '"warning" or "ignore"' if action == "error" else '"ignore"'
    return f"To accept it, set `proof.{name}` to {less}."


def count(number: int, thing: str) -> str:
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"
