"""Everyone takes turns: a round runs each program of a workload once, so that a busy minute is shared by all."""

from __future__ import annotations

import filecmp
import shutil
import sys
from pathlib import Path

from tests.benchmarks.extractor.api import Api
from tests.benchmarks.extractor.figures import Figures
from tests.benchmarks.extractor.measure import MAX_MEMORY, Cost, Ended, run_measured
from tests.benchmarks.extractor.programs import Call, Program
from tests.benchmarks.extractor.verify import find_fault
from tests.benchmarks.extractor.workloads import OURS, PEERS, ROW_IDS, Workload

MORE = 3
"""Turns for each round, of ours and of the limits."""
TOO_LONG = 20.0
"""CPU seconds; a program that took more is not run again: no noise is that large."""


class Rounds:
    def __init__(self, api: Api, core: int | None, folder: Path, programs: dict[str, Program]) -> None:
        self.figures = Figures()
        self._api, self._core, self._folder, self._programs = api, core, folder, programs

    def run(self, workload: Workload, rounds: int) -> None:
        self._api.prepare(workload.kind)
        left = [name for name in workload.programs if name in self._programs]
        for number in range(1, _turns(workload, rounds) + 1):
            if number > rounds:
                left = [name for name in left if name not in PEERS]
            left = [name for name in left if self._is_quick(workload, name, f"{number}")]
        shutil.rmtree(self._folder / workload.id)

    def _is_quick(self, workload: Workload, name: str, number: str) -> bool:
        """Run it once more; whether it shall run again."""
        folder = _place(self._folder / workload.id, name)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        call = self._programs[name](workload, self._api.port, folder)
        self._api.served()
        ended = run_measured(call.command, self._core, call.environment)
        fault = _failure(ended) or self._fault(workload, call, folder)
        self.figures.add(workload.id, name, ended.cost, fault)
        _log(f"{workload.id} round {number}", name, ended.cost, fault)
        return ended.cost.cpu < TOO_LONG and not fault

    def _fault(self, workload: Workload, call: Call, folder: Path) -> str:
        served = self._api.served()
        if served.most_at_once > 1 and not call.is_parallel:
            return f"had {served.most_at_once} requests under way at once, and was to have one"
        if call.form == "asked":
            return "" if served.rows == workload.rows else f"fetched {served.rows} rows, not {workload.rows}"
        fault = find_fault(call.form, folder, workload.kind, workload.rows)
        return fault or (_difference(folder.parent) if call.form == "ours" else "")


def _turns(workload: Workload, rounds: int) -> int:
    """What waits for nobody is disturbed most, and is compared most closely: that has more."""
    if workload.is_once:
        return 1
    return rounds if workload.delay else MORE * rounds


def _failure(ended: Ended) -> str:
    if ended.cost.peak * 1e6 > MAX_MEMORY:
        return f"stopped when it had taken {ended.cost.peak:.0f} MB of memory"
    return f"exit code {ended.code}: {ended.errors}" if ended.code else ""


def _place(folder: Path, program: str) -> Path:
    return folder / program.translate({ord(" "): "-", ord(":"): None, ord(","): None})


def _difference(folder: Path) -> str:
    """The limit that makes the extractor's tables must make the same; it runs after it."""
    ours = _place(folder, OURS) / "out" / "tables"
    for path in sorted(_place(folder, ROW_IDS).glob("bench.*")):
        if not (ours / path.name).exists() or not filecmp.cmp(path, ours / path.name, shallow=False):
            return f"its {path.name} is not that of the extractor"
    return ""


def _log(where: str, program: str, cost: Cost, fault: str) -> None:
    costs = f"{cost.cpu:7.2f} s CPU {cost.wall:7.2f} s {cost.peak:6.0f} MB"
    print(f"{where:12} {program:28} {costs}{f'  WRONG: {fault}' if fault else ''}", file=sys.stderr, flush=True)
