"""Running the extractor in a test: a configuration in, tables and log lines out."""

from __future__ import annotations

import asyncio
import csv
import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from penstock.extractor.log import Log
from penstock.extractor.run import extract
from penstock.foundation.redaction import Redactor


@dataclass(frozen=True)
class Extraction:
    out: Path
    log: str

    @property
    def warnings(self) -> list[str]:
        return [_message(line) for line in self.log.splitlines() if ".WARNING: " in line]

    def rows(self, table: str) -> list[dict[str, str]]:
        text = (self.out / "tables" / table).read_text()
        return list(csv.DictReader(io.StringIO(text, newline="")))

    def column(self, table: str, name: str) -> list[str]:
        return [row[name] for row in self.rows(table)]


def run_extraction(parameters: dict[str, Any], out: Path, state: dict[str, Any] | None = None) -> Extraction:
    text = io.StringIO()
    is_debug = bool(parameters["config"].get("debug"))
    log = Log(text, Redactor.of(parameters), is_debug=is_debug)
    asyncio.run(extract({"parameters": parameters}, state or {}, out, log))
    return Extraction(out, text.getvalue())


def parameters(base_url: str, *jobs: dict[str, Any], pagination: dict[str, Any] | None = None) -> dict[str, Any]:
    api: dict[str, Any] = {"baseUrl": base_url}
    if pagination is not None:
        api["pagination"] = pagination
    return {"api": api, "config": {"outputBucket": "test", "jobs": list(jobs)}}


def _message(line: str) -> str:
    return line.partition(".WARNING: ")[2].removesuffix(" [] []")
