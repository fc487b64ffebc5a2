"""What every job of a run requested and received: counts, first and last position, and why it stopped."""

from __future__ import annotations

from collections import Counter
from typing import Any, cast

import msgspec

from penstock.extractor.base.integers import exact_integer

NO_REASON = "No further page."
OTHERS = "Other reasons."
MAX_REASONS, MAX_REMEMBERED = 5, 100
"""How many reasons to stop are reported, and how many are counted separately: those of child jobs may contain numbers,
and so be many."""

MAX_CONCURRENT = 1_000
"""How many runs of a job are assumed to be under way at once at most; far more than requests."""


class JobTally(msgspec.Struct):
    """One job of the configuration, with all its runs: a child job runs once per record of its parent."""

    job: str
    """Its path in the configuration."""
    name: str
    claim: str = ""
    """The path of the total in a response; empty if none is configured."""
    runs: int = 0
    pages: int = 0
    requests: int = 0
    """All that were sent: retries, redirects and logins too, and those for pages that do not count."""
    retries: int = 0
    items: int = 0
    received: int = 0
    """The items counted when pages are read; a difference to `items` means that pages were lost."""
    rejected_items: int = 0
    unverified: int = 0
    empty: int = 0
    first_empty: str = ""
    """How many responses were unexpectedly empty, and which page was the first."""
    early: int = 0
    first_early: str = ""
    """How many runs seem to have ended before the last page, and what the first of them shows."""
    field: str = ""
    looked: int = 0
    lost: int = 0
    arrays: str = ""
    """The path of the records, how many pages were looked at, how many have nothing there, and the arrays of the first
    of them."""
    expected: int | None = None
    """The total of the API: the sum of the last totals of all runs."""
    first: Any = None
    last: Any = None
    """The positions of the first and the last page."""
    reasons: Counter[str] = msgspec.field(default_factory=Counter[str])
    claims: dict[Any, int] = msgspec.field(default_factory=dict[Any, int])
    """The last total of every run that may not have ended."""

    def count_request(self) -> None:
        self.requests += 1

    def count_retry(self) -> None:
        self.retries += 1

    def resume(self, requests: int, retries: int) -> None:
        """Counts the requests for a page that an interrupted attempt has received."""
        self.requests += requests
        self.retries += retries

    def receive(self, items: int) -> None:
        self.received += items

    def begin(self) -> None:
        self.runs += 1

    def page(
        self,
        *,
        items: int,
        position: Any = None,
        expected: Any = None,
        is_verified: bool = True,
        empty: str = "",
        run: Any = None,
    ) -> None:
        """Counts a page. `empty` is its description if it had no body; `run` identifies the run, if several runs of the
        job are in progress."""
        inner = innermost(position)
        if not self.pages:
            self.first = inner
        self.last = inner
        self.pages += 1
        self.items += items
        self.unverified += not is_verified
        self.empty += bool(empty)
        self.first_empty = self.first_empty or empty
        self._expect(_claimed(expected), self.runs if run is None else run)

    def rejected(self, count: int) -> None:
        self.rejected_items += count

    def end(self, reason: str) -> None:
        text = reason or NO_REASON
        is_known = text in self.reasons or len(self.reasons) < MAX_REMEMBERED
        self.reasons[text if is_known else OTHERS] += 1

    def end_early(self, sentence: str) -> None:
        """`sentence` says what shows it; empty for a run that seems to be complete."""
        self.early += bool(sentence)
        self.first_early = self.first_early or sentence

    def look(self, pages: int, lost: int, arrays: str) -> None:
        """Counts pages that were looked at for records, and those with nothing at the path of the records."""
        self.looked += pages
        self.lost += lost
        self.arrays = self.arrays or arrays

    @property
    def stopped(self) -> dict[str, int]:
        """Returns how often each reason ended a run, the most common ones first."""
        common = [reason for reason in self.reasons.most_common() if reason[0] != OTHERS]
        others = sum(count for _reason, count in common[MAX_REASONS:]) + self.reasons[OTHERS]
        return dict(common[:MAX_REASONS]) | ({OTHERS: others} if others else {})

    def _expect(self, number: int | None, run: Any) -> None:
        if number is None:
            return
        self.expected = (self.expected or 0) + number - self.claims.pop(run, 0)
        self.claims[run] = number
        if len(self.claims) > MAX_CONCURRENT:
            del self.claims[next(iter(self.claims))]


class Tally:
    """All jobs of a run, in the order in which they were first used."""

    def __init__(self) -> None:
        self._jobs: dict[tuple[str, str], JobTally] = {}

    def of(self, job_path: str, name: str, claim: str = "", field: str = "") -> JobTally:
        """Returns the tally of a job; the same one for all its runs."""
        key = (job_path, name)
        if key not in self._jobs:
            self._jobs[key] = JobTally(job_path, name, claim, field=field)
        return self._jobs[key]

    @property
    def jobs(self) -> list[JobTally]:
        return list(self._jobs.values())


def innermost(position: Any) -> Any:
    """Returns the position of the pagination method, without the counts of the stops around it, which may be large."""
    inner: Any = position
    while isinstance(inner, list) and len(cast(list[Any], inner)) == 2:
        inner = cast(list[Any], inner)[1]
    return cast(Any, inner)


def _claimed(value: Any) -> int | None:
    """Returns a number, or a text that is one; some APIs write -1 for an unknown total."""
    number = exact_integer(value)
    return number if number is not None and number >= 0 else None
