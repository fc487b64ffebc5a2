"""What the clients of other projects waited for during each noisy pattern, and the table of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from tests.e2e.soak.calls import BROKEN, Call

MAX_RATIO = 3.0
MIN_P99_SECONDS = 0.1
"""A p99 below this is no worse than this: three times of next to nothing is nothing that a client notices."""
MAX_GROWTH = 1.25
MEGABYTE = 1_000_000


class Memory(msgspec.Struct, frozen=True):
    """Resident bytes of the process that serves requests, and of all processes of the stack."""

    server: int
    all: int


class Phase(msgspec.Struct, frozen=True):
    """Some quiet seconds, then a pattern, then a moment for what it left behind."""

    name: str
    begin: float
    attack: float
    end: float

    def quiet(self, calls: Iterable[Call]) -> list[Call]:
        return [call for call in calls if self.begin <= call.begin < self.attack]

    def noisy(self, calls: Iterable[Call]) -> list[Call]:
        return [call for call in calls if self.attack <= call.begin < self.end]


class Outcome(msgspec.Struct, frozen=True):
    name: str
    quiet: list[Call]
    noisy: list[Call]
    responses: dict[str, int]
    """How the hostile clients were answered: `what: status`."""
    memory: Memory

    @property
    def ratio(self) -> float:
        return percentile(self.noisy, 99) / max(percentile(self.quiet, 99), MIN_P99_SECONDS / MAX_RATIO)

    @property
    def errors(self) -> Counter[str]:
        """Of the others, who do nothing wrong: any status from 400."""
        calls = [*self.quiet, *self.noisy]
        return Counter(f"{call.name} {call.status}: {call.detail}" for call in calls if call.status >= 400)

    @property
    def unexplained(self) -> dict[str, int]:
        """5xx to the hostile clients. A 503 with Retry-After is documented, and a connection may be cut."""
        return {
            what: count
            for what, count in self.responses.items()
            if 500 <= int(what.rpartition(" ")[2]) < BROKEN and not what.endswith(" 503")
        }

    @property
    def holds(self) -> bool:
        return self.ratio <= MAX_RATIO and not self.errors and not self.unexplained

    @property
    def cells(self) -> list[str]:
        times = [_milliseconds(calls, percent) for calls in (self.quiet, self.noisy) for percent in (50, 99)]
        done = f"{sum(self.responses.values()):,}"
        found = [str(self.errors.total()), str(sum(self.unexplained.values()))]
        memory = [f"{self.memory.server // MEGABYTE}", f"{self.memory.all // MEGABYTE}"]
        verdict = "holds" if self.holds else "falls short"
        return [self.name, done, *times, f"{self.ratio:.2f} ×", *found, *memory, verdict]


HEAD = (
    "pattern",
    "sent",
    "p50 ms without",
    "p99 ms without",
    "p50 ms with",
    "p99 ms with",
    "ratio",
    "errors of others",
    "5xx",
    "server MB",
    "stack MB",
    "",
)


def make_table(outcomes: Sequence[Outcome]) -> str:
    rule = ["---", *["--:"] * (len(HEAD) - 2), "---"]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [list(HEAD), rule, *(each.cells for each in outcomes)])


def percentile(calls: Sequence[Call], percent: int) -> float:
    ordered = sorted(call.seconds for call in calls) or [0.0]
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]


def _milliseconds(calls: Sequence[Call], percent: int) -> str:
    return f"{1000 * percentile(calls, percent):.0f}"
