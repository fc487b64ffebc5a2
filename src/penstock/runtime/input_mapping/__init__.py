"""Input mapping: the tables and files that a configuration names, in `in/` of the data folder, each with a manifest.

items.py       what a configuration may specify
tables.py      rows into CSV files
files.py       files, as one or in slices
manifests.py   the manifests next to them
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from penstock.contracts.tables import StoredTable
from penstock.runtime.data_folder import DataFolder
from penstock.runtime.input_mapping.files import Processed, fetch_files
from penstock.runtime.input_mapping.items import read_items
from penstock.runtime.input_mapping.tables import fetch_tables
from penstock.runtime.port import Port

__all__ = ["Fetched", "Processed", "check", "fetch", "mark_processed"]


class Fetched(msgspec.Struct, frozen=True, kw_only=True):
    """What was fetched. It is stored as JSON, for a worker that takes the job over."""

    tables: list[StoredTable] = []
    bytes: int = 0
    state: dict[str, Any] = {}
    """For the next run, as `state["storage"]["input"]`: what `adaptive` goes by."""
    processed: list[Processed] = []
    """Tags that files get when the job has succeeded."""


def check(section: dict[str, Any]) -> None:
    """Raise what is wrong with `configuration["storage"]["input"]` itself."""
    read_items(section)


def fetch(
    port: Port,
    folder: DataFolder,
    section: dict[str, Any],
    remembered: dict[str, Any],
    tell: Callable[[str], object] = lambda _line: None,
) -> Fetched:
    """`section` is `configuration["storage"]["input"]`, `remembered` is `state["storage"]["input"]` of the last run."""
    items = read_items(section)
    tables = fetch_tables(port, folder.path / "in" / "tables", items.tables, remembered, tell)
    files = fetch_files(port, folder.path / "in" / "files", items.files, remembered, tell)
    return Fetched(
        tables=tables.tables,
        bytes=tables.bytes + files.bytes,
        state={"tables": tables.state, "files": files.state},
        processed=files.processed,
    )


def mark_processed(port: Port, fetched: Fetched) -> None:
    """Give files the tags that say they were dealt with: `processed_tags`."""
    for file in fetched.processed:
        port.tag_file(file.file_id, file.tags)
