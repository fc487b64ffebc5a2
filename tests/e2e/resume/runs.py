"""Runs attempts of one command in processes of their own, and compares what they leave."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from penstock.extractor.requests.journal.folder import NAME
from tests.e2e.resume.nursery import Newborn, nursery
from tests.e2e.resume.scenario import LATER, START

RUNS = int(os.environ.get("PENSTOCK_CRASHES") or 50)
"""How many runs are killed at random."""
IS_SOAK = RUNS > 50
REPORT = "report.json"
_TOLD = re.compile(rb'"(20000\d{5})"')
_ROW_ID = re.compile(rb"[0-9a-f]{32}")


@dataclass
class DataFolder:
    """A data folder, and the attempts to run what is in it."""

    path: Path
    attempts: int = 0
    seconds: float = field(default=0.0)
    """What the last attempt took."""
    fetches_ahead: bool = False
    """Whether it is compared with one that does: how many requests are sent then depends on when they are answered."""

    @classmethod
    def make(
        cls, path: Path, document: dict[str, Any], state: dict[str, Any], *, fetches_ahead: bool = False
    ) -> DataFolder:
        (path / "in").mkdir(parents=True)
        (path / "config.json").write_text(json.dumps(document))
        (path / "in" / "state.json").write_text(json.dumps(state))
        return cls(path, fetches_ahead=fetches_ahead)

    @property
    def out(self) -> Path:
        return self.path / "out"

    @property
    def journal(self) -> Path:
        return self.out / NAME / "pages"

    @property
    def clocks(self) -> set[bytes]:
        """What the attempts so far have seen on their clocks."""
        return {b"%d" % (START + LATER * number) for number in range(self.attempts)}

    @property
    def is_open(self) -> bool:
        """Whether the run has begun and not ended; before and after that, the next attempt is the first of its run."""
        return (self.out / NAME / "run.json").exists()

    def start(self, step: int = 0, listing: Path | None = None) -> Newborn:
        """The same command, later."""
        moment = START + LATER * self.attempts
        self.attempts += 1
        options = [str(moment), str(step), str(listing or "")]
        return nursery().bear([*options, "extract", "--data-dir", str(self.path)], self.path / "output")

    def finish(self, step: int = 0, listing: Path | None = None) -> int:
        began = time.monotonic()
        code = self.start(step, listing).wait()
        self.seconds = time.monotonic() - began
        return code

    def files(self) -> dict[str, bytes]:
        """Everything below `out`, hidden files too."""
        paths = sorted(path for path in self.out.rglob("*") if path.is_file())
        found = {str(path.relative_to(self.out)): path.read_bytes() for path in paths}
        return found if REPORT not in found else {**found, REPORT: self._of_all_attempts(found[REPORT])}

    def files_without_times(self) -> dict[str, bytes]:
        """The same, if columns tell the time of an attempt: row ids depend on them, so these are numbered instead."""
        numbers: dict[bytes, bytes] = {}
        found = self.files()
        for name, content in found.items():
            assert set(_TOLD.findall(content)) <= self.clocks
            plain = _TOLD.sub(b'"now"', content)
            found[name] = _ROW_ID.sub(lambda match: numbers.setdefault(match[0], b"%d" % len(numbers)), plain)
        return found

    def _of_all_attempts(self, written: bytes) -> bytes:
        """Only the seconds and what was resumed tell of the last attempt alone."""
        report = json.loads(written)
        for job in report["jobs"]:
            assert job["requests"] >= job["pages"]
            if self.fetches_ahead:
                del job["requests"]
        return json.dumps({**report, "seconds": None, "resumed": None}).encode()


def assert_one_time_per_job(out: Path) -> None:
    """A run of a job keeps the time at which it first began, whoever goes on with it."""
    for path in (out / "tables").glob("*[!t]"):
        told: dict[tuple[str, ...], set[str]] = defaultdict(set)
        for row in csv.DictReader(io.StringIO(path.read_text(), newline="")):
            if "asked" in row:
                told[row["which"], row.get("parent_id", "")].add(row["asked"])
        assert all(len(times) == 1 for times in told.values()), path.name
