"""Pages into tables, as a run does it."""

from __future__ import annotations

import io
import json
import tempfile
from pathlib import Path
from typing import Any, cast

from msgspec.structs import replace

from penstock.extractor.base.log import Log
from penstock.extractor.base.numbers import Float
from penstock.extractor.records.find import DataField
from penstock.extractor.records.page import Page
from penstock.extractor.records.tree import Tree
from penstock.extractor.requests.journal import Entry, Journal
from penstock.extractor.requests.journal.entry import pack
from penstock.extractor.results import Batch, Flattened, Source
from penstock.extractor.results.spool import Spool
from penstock.extractor.results.tables import Tables
from penstock.foundation.redaction import Redactor

Rows = tuple[str, list[Any], dict[str, Any]]
"""Data type, records, extra columns."""


def batch_of(data_type: str, records: list[Any], extra: dict[str, Any] | None = None) -> Batch:
    return Batch(Source(data_type, data_type, DataField(".")), Page(records, body_of(records).encode()), extra or {})


def kept(journal: Journal, batch: Batch) -> Batch:
    """The same batch, now that the response with its records is in the journal."""
    entry = Entry("", b"", 200, "OK", [], moment=0, asked=0, received=0, extra=pack(batch.extra))
    at = journal.append(entry, batch.page.body).at
    return replace(batch, page=replace(batch.page, at=at))


def body_of(value: Any) -> str:
    """The response that these records were read from: decimals as they were sent."""
    if isinstance(value, list):
        return f"[{','.join(map(body_of, cast(list[Any], value)))}]"
    if isinstance(value, dict):
        members = cast(dict[str, Any], value).items()
        return f"{{{','.join(f'{json.dumps(key)}:{body_of(item)}' for key, item in members)}}}"
    return str(value) if isinstance(value, Float) else json.dumps(value)


def flattened(batches: list[Rows], tree: Tree | None = None, log: io.StringIO | None = None) -> dict[str, str]:
    """File name → text."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        journal = Journal(folder)
        telling = Log(log or io.StringIO(), Redactor(), is_debug=True)
        results = Flattened(folder, Spool(journal), tree or Tree(), telling)
        for batch in batches:
            results.add(kept(journal, batch_of(*batch)))
        tables = Tables(folder / "tables", "")
        results.write(tables)
        tables.close()
        journal.close()
        return {path.name: path.read_bytes().decode() for path in sorted((folder / "tables").iterdir())}


def users(*pages: list[Any]) -> dict[str, str]:
    return flattened([("users", page, {}) for page in pages])
