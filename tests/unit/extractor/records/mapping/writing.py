"""Maps records as a run does, and reads the tables back."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from typing import Any

import pytest

from penstock.extractor.base.errors import UserError
from penstock.extractor.records.layout import Layout
from penstock.extractor.records.mapping import Mapper, check_mappings

Tables = dict[str, list[list[str]]]
"""Name → header and rows."""


class Output:
    def __init__(self) -> None:
        self.tables: dict[str, Layout] = {}
        self.lines: dict[str, str] = {}

    def emit(self, table: Layout, lines: bytes, _count: int) -> None:
        assert self.tables.setdefault(table.name, table) == table
        self.lines[table.name] = self.lines.get(table.name, "") + lines.decode()

    def read(self) -> Tables:
        return {name: [list(table.header), *rows_of(self.lines[name])] for name, table in self.tables.items()}


def rows_of(lines: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(lines, newline="")))


def map_batches(
    mapping: dict[str, Any], *batches: list[Any], extra: Mapping[str, Any] | None = None, name: str = "users"
) -> Output:
    mapper, output = Mapper(name, check_mappings({name: mapping})[name]), Output()
    for batch in batches:
        mapper.write(batch, extra or {}, output.emit)
    return output


def map_rows(mapping: dict[str, Any], *rows: Any, extra: Mapping[str, Any] | None = None) -> Tables:
    return map_batches(mapping, list(rows), extra=extra).read()


def refusal(mapping: dict[str, Any], *rows: Any, extra: dict[str, Any] | None = None) -> str:
    with pytest.raises(UserError) as refused:
        map_rows(mapping, *rows, extra=extra)
    return str(refused.value)


def column(destination: str, **more: Any) -> dict[str, Any]:
    """An entry in its long form; `primaryKey` goes where it belongs."""
    key = {"primaryKey": more.pop("primaryKey")} if "primaryKey" in more else {}
    return {"type": "column", "mapping": {"destination": destination, **key}, **more}


def table(destination: str, mapping: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "table", "destination": destination, "tableMapping": mapping, **more}


ID = {"id": column("id", primaryKey=True)}
DISABLED = {"disable": True}
TAGS = {"tags": table("tags", {".": "tag"})}
