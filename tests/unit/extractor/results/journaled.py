"""A bucket like that of a run: its pages are stored in a journal, from which they are read again."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from penstock.extractor.base.log import Log
from penstock.extractor.records.mapping import check_mappings
from penstock.extractor.records.tree import Tree
from penstock.extractor.requests.journal import Journal
from penstock.extractor.results import Bucket, Flattened
from penstock.extractor.results.proof import Keys, Rejected
from penstock.extractor.results.spool import Spool
from penstock.extractor.results.tables import Tables
from penstock.foundation.redaction import Redactor
from tests.unit.extractor.results.writing import batch_of, kept


class OpenBucket:
    """A bucket in a folder, with pages added as a run adds them."""

    def __init__(self, folder: Path, mappings: dict[str, Any] | None = None, *, is_rejecting: bool = False) -> None:
        self.folder, self.mappings = folder, check_mappings(mappings or {})
        self._journal = Journal(folder)
        rejected = Rejected(folder / "rejected") if is_rejecting else None
        flattened = Flattened(folder, Spool(self._journal), Tree(), Log(io.StringIO(), Redactor()))
        self.bucket = Bucket(Tables(folder / "tables", ""), flattened, self.mappings, Keys(folder / "keys"), rejected)

    def add(self, data_type: str, records: list[Any], extra: dict[str, Any] | None = None) -> int:
        return self.bucket.add(kept(self._journal, batch_of(data_type, records, extra)))

    def finish(self) -> dict[str, str]:
        """The tables: file name → text."""
        self.bucket.finish()
        self.bucket.add_missing(self.mappings, is_incremental=True)
        self._journal.close()
        return {path.name: path.read_text() for path in (self.folder / "tables").iterdir()}

    def rejected(self, table: str) -> str:
        return (self.folder / "rejected" / f"{table}.ndjson").read_text()
