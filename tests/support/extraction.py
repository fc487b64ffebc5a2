"""Running the extractor in a test: a configuration in, tables and log lines out."""

from __future__ import annotations

import asyncio
import csv
import io
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from penstock.cli.extract import RECURSION_LIMIT
from penstock.extractor.base.errors import UserError
from penstock.extractor.base.log import Log
from penstock.extractor.run import extract
from penstock.foundation.redaction import Redactor


@dataclass(frozen=True)
class Extraction:
    out: Path
    log: str
    error: str | None = None
    """What the run failed with, if it was allowed to."""

    @property
    def warnings(self) -> list[str]:
        return [_message(line) for line in self.log.splitlines() if ".WARNING: " in line]

    def rows(self, table: str) -> list[dict[str, str]]:
        text = (self.out / "tables" / table).read_text()
        return list(csv.DictReader(io.StringIO(text, newline="")))

    def column(self, table: str, name: str) -> list[str]:
        return [row[name] for row in self.rows(table)]


def run_extraction(document: dict[str, Any], out: Path, state: dict[str, Any] | None = None) -> Extraction:
    """A run that must succeed; takes parameters, or a whole configuration with `parameters` in it."""
    result = try_extraction(document, out, state)
    if result.error is not None:
        raise UserError(result.error)
    return result


def try_extraction(document: dict[str, Any], out: Path, state: dict[str, Any] | None = None) -> Extraction:
    """A run whose error, if it is the user's, is part of the result."""
    sys.setrecursionlimit(RECURSION_LIMIT)
    text = io.StringIO()
    whole = document if "parameters" in document else {"parameters": document}
    log = Log(text, Redactor.of(whole))
    try:
        asyncio.run(extract(whole, state or {}, out, log))
    except UserError as error:
        return Extraction(out, text.getvalue(), log.redactor.clean(str(error)))
    return Extraction(out, text.getvalue())


def parameters(base_url: str, *jobs: dict[str, Any], pagination: dict[str, Any] | None = None) -> dict[str, Any]:
    api: dict[str, Any] = {"baseUrl": base_url}
    if pagination is not None:
        api["pagination"] = pagination
    return {"api": api, "config": {"outputBucket": "test", "jobs": list(jobs)}}


def _message(line: str) -> str:
    return line.partition(".WARNING: ")[2].removesuffix(" [] []")
