"""A run of the legacy parser in memory: pages in, tables and log lines out."""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Mapping
from typing import Any

import msgspec

from penstock.extractor.records.layout import Layout
from penstock.extractor.records.legacy import Legacy

Table = tuple[list[str], list[list[str]]]
Line = tuple[str, str, dict[str, Any]]


class Lines:
    """Keeps what is reported."""

    def __init__(self) -> None:
        self.all: list[Line] = []

    def debug(self, message: str, **context: Any) -> None:
        self.all.append(("DEBUG", message, context))

    def warning(self, message: str, **context: Any) -> None:
        self.all.append(("WARNING", message, context))

    def error(self, message: str, **context: Any) -> None:
        self.all.append(("ERROR", message, context))

    def of(self, level: str) -> list[str]:
        return [message for known, message, _context in self.all if known == level]


class Batch(msgspec.Struct, frozen=True):
    records: list[Any]
    extra: Mapping[str, Any] = {}
    data_type: str = "r"


class Outcome(msgspec.Struct, frozen=True):
    tables: dict[str, Table]
    """Name → header and rows."""
    struct: Any
    lines: Lines


def read(*pages: list[Any] | Batch, struct: Any = None) -> Outcome:
    batches = [page if isinstance(page, Batch) else Batch(page) for page in pages]
    lines, texts = Lines(), dict[Layout, str]()
    legacy = Legacy(struct, lines)
    kept = [batch for batch in batches if legacy.learn(batch.data_type, batch.records)]
    learnt = legacy.struct()

    def emit(layout: Layout, rows: bytes, _count: int) -> None:
        texts[layout] = texts.get(layout, "") + rows.decode()

    for batch in kept:
        legacy.write(batch.data_type, batch.records, batch.extra, emit)
    return Outcome({layout.name: _table(layout, text) for layout, text in texts.items()}, learnt, lines)


def tables(*pages: list[Any] | Batch, struct: Any = None) -> dict[str, Table]:
    return read(*pages, struct=struct).tables


def md5(text: str) -> str:
    return hashlib.md5(text.encode()).hexdigest()


def _table(layout: Layout, text: str) -> Table:
    return list(layout.header), list(csv.reader(io.StringIO(text, newline="")))
