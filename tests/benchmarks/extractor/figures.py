"""What was measured, by workload and program, and the one number that stands for several rounds."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from tests.benchmarks.extractor.measure import Cost


class NotMeasured(Exception):
    """There is no figure, and the message says of what."""


class Result(msgspec.Struct):
    """All rounds of one program at one workload; a fault in any of them is a fault of all."""

    costs: list[Cost]
    fault: str = ""


class Figures:
    """The best round of each program, because what disturbs one only adds to it. Of memory the highest: a bound holds
    always."""

    def __init__(self) -> None:
        self._results: dict[tuple[str, str], Result] = {}

    def add(self, workload: str, program: str, cost: Cost, fault: str = "") -> None:
        result = self._results.setdefault((workload, program), Result([]))
        result.costs.append(cost)
        result.fault = result.fault or fault

    def cpu(self, workload: str, program: str) -> float:
        return min(cost.cpu for cost in self._get(workload, program).costs)

    def wall(self, workload: str, program: str) -> float:
        return min(cost.wall for cost in self._get(workload, program).costs)

    def peak(self, workload: str, program: str) -> float:
        return max(cost.peak for cost in self._get(workload, program).costs)

    def best_cpu(self, workload: str, programs: tuple[str, ...]) -> float:
        """The least of those that were measured."""
        found = [self.cpu(workload, program) for program in programs if (workload, program) in self._results]
        if not found:
            raise NotMeasured(f"no peer ran {workload}")
        return min(found)

    def faults(self) -> list[str]:
        return [f"{workload} {program}: {result.fault}" for (workload, program), result in self if result.fault]

    def __iter__(self) -> Iterator[tuple[tuple[str, str], Result]]:
        return iter(self._results.items())

    def _get(self, workload: str, program: str) -> Result:
        result = self._results.get((workload, program))
        if result is None:
            raise NotMeasured(f"{program} did not run {workload}")
        if result.fault:
            raise NotMeasured(f"{program} failed at {workload}")
        return result
