"""Proves a configuration by running it: a few pages into a temporary folder, and the first rows of every table."""

from __future__ import annotations

import csv
import io
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from penstock.extractor.discovery.budget import RESERVED, Budget, BudgetSpent, CountingGate
from penstock.extractor.discovery.draft import Draft
from penstock.extractor.errors import UserError
from penstock.extractor.log import Log
from penstock.extractor.run import Options, extract
from penstock.foundation.redaction import Redactor

FIRST_ROWS = 3


class Table(msgspec.Struct, frozen=True):
    name: str
    columns: list[str]
    rows: list[list[str]]
    """The first ones."""
    count: int


class Proof(msgspec.Struct, frozen=True):
    tables: list[Table]
    is_whole: bool
    """Whether the run ended by itself, before it reached its limit of pages."""
    records: int = 0
    pages: int = 0
    problem: str = ""
    warnings: tuple[str, ...] = ()


class _Warnings(Log):
    """Collects the warnings of a run."""

    def __init__(self, redactor: Redactor) -> None:
        super().__init__(io.StringIO(), redactor)
        self.warnings: list[str] = []
        self.is_stopped = False

    def write(self, level: str, message: str, context: dict[str, Any]) -> None:
        if level == "WARNING":
            self.warnings.append(self.redactor.clean(message))
        self.is_stopped = self.is_stopped or message.startswith("Force stopping")


async def prove(draft: Draft, redactor: Redactor, budget: Budget) -> Proof:
    """Runs the configuration, with as many pages as requests are left."""
    budget.release()
    pages = min(RESERVED, budget.remaining)
    log = _Warnings(redactor)
    options = Options(most_retries=0, choice="fresh", gate=partial(CountingGate, budget))
    with tempfile.TemporaryDirectory(prefix="penstock-new-") as folder:
        out = Path(folder) / "out"
        try:
            await extract(_bounded(draft, max(pages, 1)), {}, out, log, options)
        except BudgetSpent:
            return Proof([], is_whole=False, problem="No requests were left to run the configuration to a result.")
        except UserError as error:
            return Proof([], is_whole=False, problem=log.redactor.clean(str(error)))
        done = msgspec.json.decode((out / "report.json").read_bytes())["jobs"][0]
        tables = [_read_table(path, log.redactor) for path in sorted((out / "tables").iterdir())]
    found = [table for table in tables if table is not None]
    warnings = tuple(dict.fromkeys(log.warnings))
    return Proof(found, not log.is_stopped, done["items"], done["pages"], warnings=warnings)


def _bounded(draft: Draft, pages: int) -> dict[str, Any]:
    """Without the check of the total, which a part of the pages cannot reach."""
    job = {key: value for key, value in draft.job.items() if key != "expectedCount"}
    pagination = {**draft.pagination, "forceStop": {"pages": pages}}
    return msgspec.structs.replace(draft, job=job, pagination=pagination).document()


def _read_table(path: Path, redactor: Redactor) -> Table | None:
    if path.suffix == ".manifest" or not path.is_file():
        return None
    with path.open(newline="", encoding="utf-8", errors="replace") as file:
        lines = csv.reader(file)
        columns, rows, count = next(lines, list[str]()), list[list[str]](), 0
        for count, row in enumerate(lines, 1):
            if count <= FIRST_ROWS:
                rows.append([redactor.clean(cell) for cell in row])
    return Table(path.name, columns, rows, count)
