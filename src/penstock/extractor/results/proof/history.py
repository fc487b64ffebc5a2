"""How many items earlier runs brought, by job: stored in the state as long as a policy needs it.

A state may have been edited by hand, or come from another program; invalid parts are ignored.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

import msgspec

from penstock.extractor.responses.tally import JobTally

STATE_KEY = "penstock"
"""The key of our part of the state, which the original does not have."""


class History(msgspec.Struct, frozen=True):
    items: dict[str, tuple[int, ...]] = msgspec.field(default_factory=dict[str, tuple[int, ...]])
    """How many items each job brought, by run, the latest last."""
    others: dict[str, Any] = msgspec.field(default_factory=dict[str, Any])
    """Other values under our key, which are preserved."""

    def before(self, job: JobTally, runs: int) -> tuple[int, ...]:
        """Returns the numbers of the last runs."""
        return self.items.get(job_key(job), ())[-runs:]

    def after(self, jobs: Iterable[JobTally], runs: int) -> History:
        """Returns the history with the current run; jobs that no longer exist are dropped."""
        items = {job_key(job): (*self.before(job, runs), job.items)[-runs:] for job in jobs}
        return History(items, self.others)

    def as_state(self) -> dict[str, Any]:
        """Returns the value for the state under STATE_KEY."""
        return {**self.others, "items": {job: list(counts) for job, counts in self.items.items()}}


def read_history(state: Mapping[str, Any]) -> History:
    stored = _map(state.get(STATE_KEY))
    items = {job: _counts(counts) for job, counts in _map(stored.get("items")).items()}
    return History(items, {key: value for key, value in stored.items() if key != "items"})


def job_key(job: JobTally) -> str:
    """Includes the path, so that a job that moves within the configuration is not compared with another one."""
    return f"{job.job} {job.name}"


def median(numbers: tuple[int, ...]) -> float:
    ordered, half = sorted(numbers), len(numbers) // 2
    return float(ordered[half]) if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def _counts(raw: Any) -> tuple[int, ...]:
    values = cast(list[Any], raw) if isinstance(raw, list) else []
    return tuple(value for value in values if type(value) is int and 0 <= value < 2**63)


def _map(value: Any) -> dict[str, Any]:
    return cast(dict[str, Any], value) if isinstance(value, dict) else {}
