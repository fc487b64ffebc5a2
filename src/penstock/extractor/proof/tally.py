"""What every job of a run asked for and got: numbers, where it began and ended, and why it stopped."""

from __future__ import annotations

from collections import Counter
from typing import Any, cast

import msgspec

from penstock.extractor.whole_numbers import exact_whole

NO_REASON = "No further page."
OTHERS = "Other reasons."
MOST_REASONS, MOST_REMEMBERED = 5, 100
"""How many reasons to stop are told, and how many are counted apart: those of child jobs may hold numbers of theirs."""

MOST_AT_ONCE = 1_000
"""How many runs of a job may be under way at once; many more than requests may."""


class JobTally(msgspec.Struct):
    """One job of the configuration, all its runs together: a child job runs once per record of its parent."""

    job: str
    """Where in the configuration it stands."""
    name: str
    claim: str = ""
    """The path at which the API claims a total; empty when none is configured."""
    runs: int = 0
    pages: int = 0
    requests: int = 0
    retries: int = 0
    items: int = 0
    received: int = 0
    """The same as the items, counted when pages are read: what is lost between there and here makes a difference."""
    rejected_items: int = 0
    unverified: int = 0
    empty: int = 0
    first_empty: str = ""
    """How many responses had no body although there should have been one, and which page was the first."""
    expected: int | None = None
    """What the API claims: the last claim of each run, summed."""
    first: Any = None
    last: Any = None
    """Positions of the first and of the last page."""
    reasons: Counter[str] = msgspec.field(default_factory=Counter[str])
    claims: dict[Any, int] = msgspec.field(default_factory=dict[Any, int])
    """The last claim of every run that may still go on."""

    def receive(self, items: int) -> None:
        self.received += items

    def begin(self) -> None:
        self.runs += 1

    def page(
        self,
        *,
        requests: int,
        retries: int,
        items: int,
        position: Any = None,
        expected: Any = None,
        is_verified: bool = True,
        empty: str = "",
        run: Any = None,
    ) -> None:
        """A page. `empty` is where it came from if it had no body; `run` tells the runs of a job apart where the next
        one begins before one has ended."""
        inner = _innermost(position)
        if not self.pages:
            self.first = inner
        self.last = inner
        self.pages += 1
        self.requests += requests
        self.retries += retries
        self.items += items
        self.unverified += not is_verified
        self.empty += bool(empty)
        self.first_empty = self.first_empty or empty
        self._expect(_claimed(expected), self.runs if run is None else run)

    def rejected(self, count: int) -> None:
        self.rejected_items += count

    def end(self, reason: str) -> None:
        text = reason or NO_REASON
        is_known = text in self.reasons or len(self.reasons) < MOST_REMEMBERED
        self.reasons[text if is_known else OTHERS] += 1

    @property
    def stopped(self) -> dict[str, int]:
        """How often each reason ended a run, the most common ones first."""
        common = [each for each in self.reasons.most_common() if each[0] != OTHERS]
        others = sum(count for _reason, count in common[MOST_REASONS:]) + self.reasons[OTHERS]
        return dict(common[:MOST_REASONS]) | ({OTHERS: others} if others else {})

    def _expect(self, number: int | None, run: Any) -> None:
        if number is None:
            return
        self.expected = (self.expected or 0) + number - self.claims.pop(run, 0)
        self.claims[run] = number
        if len(self.claims) > MOST_AT_ONCE:
            del self.claims[next(iter(self.claims))]


class Tally:
    """All jobs of a run, in the order in which they were first named."""

    def __init__(self) -> None:
        self._jobs: dict[tuple[str, str], JobTally] = {}

    def of(self, job_path: str, name: str, claim: str = "") -> JobTally:
        """The tally of a job; the same one for all its runs."""
        key = (job_path, name)
        if key not in self._jobs:
            self._jobs[key] = JobTally(job_path, name, claim)
        return self._jobs[key]

    @property
    def jobs(self) -> list[JobTally]:
        return list(self._jobs.values())


def _innermost(position: Any) -> Any:
    """What the method itself calls the page: reasons to stop put what they count before it, which may be large."""
    inner: Any = position
    while isinstance(inner, list) and len(cast(list[Any], inner)) == 2:
        inner = cast(list[Any], inner)[1]
    return cast(Any, inner)


def _claimed(value: Any) -> int | None:
    """A number, or a text that is one; some APIs write -1 for a total that they do not know."""
    number = exact_whole(value)
    return number if number is not None and number >= 0 else None
