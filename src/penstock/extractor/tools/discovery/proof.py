"""Proves a configuration by running it: a few pages into a temporary folder, and the first rows of every table."""

from __future__ import annotations

import csv
import io
import tempfile
from functools import partial
from pathlib import Path
from typing import Any, cast

import msgspec

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.log import Log
from penstock.extractor.base.values import as_map
from penstock.extractor.run import Options, extract
from penstock.extractor.tools.discovery.budget import RESERVED, Budget, BudgetSpent, CountingGate
from penstock.extractor.tools.discovery.draft import Draft
from penstock.foundation.redaction import Redactor

FIRST_ROWS = 3


class Table(msgspec.Struct, frozen=True, rename="camel"):
    name: str
    columns: list[str]
    rows: list[list[str]]
    """The first ones."""
    count: int
    primary_key: list[str] = []


class Proof(msgspec.Struct, frozen=True):
    tables: list[Table]
    is_whole: bool
    """Whether the run ended before it reached its limit of pages."""
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
    return await try_run(draft.document(), max(pages, 1), redactor, budget)


async def try_run(
    document: dict[str, Any], pages: int, redactor: Redactor, budget: Budget, rows: int = FIRST_ROWS
) -> Proof:
    """Runs the first pages of every job, and reads the first rows of every table."""
    log = _Warnings(redactor)
    options = Options(most_retries=0, choice="fresh", gate=partial(CountingGate, budget))
    with tempfile.TemporaryDirectory(prefix="penstock-new-") as folder:
        out = Path(folder) / "out"
        try:
            await extract(_bounded(document, pages), {}, out, log, options)
        except BudgetSpent:
            return Proof([], is_whole=False, problem="No requests were left to run the configuration to a result.")
        except UserError as error:
            return Proof([], is_whole=False, problem=log.redactor.clean(str(error)))
        done = msgspec.json.decode((out / "report.json").read_bytes())["jobs"][0]
        tables = [_read_table(path, log.redactor, rows) for path in sorted((out / "tables").iterdir())]
    written = [table for table in tables if table is not None]
    warnings = tuple(dict.fromkeys(log.warnings))
    return Proof(written, not log.is_stopped, done["items"], done["pages"], warnings=warnings)


def _bounded(document: dict[str, Any], pages: int) -> dict[str, Any]:
    """Returns the job without the check of the total, which a part of the pages cannot reach."""
    parameters = as_map(document.get("parameters"))
    api, config = as_map(parameters.get("api")), as_map(parameters.get("config"))
    jobs = [_unchecked(job) for job in as_map(config.get("jobs")).values()]
    bounded = {"api": {**api, "pagination": _stopped(api.get("pagination"), pages)}, "config": {**config, "jobs": jobs}}
    return {**document, "parameters": {**parameters, **bounded}}


def _unchecked(job: Any) -> Any:
    if not isinstance(job, dict):
        return job  # reading the configuration reports the error
    values = cast(dict[str, Any], job)
    others = {key: value for key, value in values.items() if key != "expectedCount"}
    children = [_unchecked(child) for child in as_map(values.get("children")).values()]
    return {**others, "children": children} if children else others


def _stopped(pagination: Any, pages: int) -> dict[str, Any]:
    """Stops each of several paginations separately."""
    values = as_map(pagination)
    scrollers = {name: _stopped(scroller, pages) for name, scroller in as_map(values.get("scrollers")).items()}
    return {**values, "forceStop": {"pages": pages}, **({"scrollers": scrollers} if scrollers else {})}


def _read_table(path: Path, redactor: Redactor, most: int) -> Table | None:
    if path.suffix == ".manifest" or not path.is_file():
        return None
    with path.open(newline="", encoding="utf-8", errors="replace") as file:
        lines = csv.reader(file)
        columns, rows, count = next(lines, list[str]()), list[list[str]](), 0
        for count, row in enumerate(lines, 1):
            if count <= most:
                rows.append([redactor.clean(cell) for cell in row])
    return Table(path.name, columns, rows, count, _read_key(path.with_name(f"{path.name}.manifest")))


def _read_key(manifest: Path) -> list[str]:
    return msgspec.json.decode(manifest.read_bytes()).get("primary_key", []) if manifest.exists() else []
