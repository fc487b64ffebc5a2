"""The keys that rows of child tables refer to: the primary key of a row, or a hash of it."""

from __future__ import annotations

import hashlib
from typing import Any

from penstock.extractor.errors import UserError
from penstock.extractor.json_text import json_text
from penstock.extractor.records.mapping.columns import values_of
from penstock.extractor.records.mapping.table import TableMapping
from penstock.extractor.records.serialized import serialize, serialize_config
from penstock.extractor.values import text_of


class Hashes:
    """The MD5 of each row with the extra columns of its batch, computed on first use."""

    def __init__(self, rows: list[Any], extra: dict[str, Any]) -> None:
        self._rows, self._extra = rows, serialize_config(extra) if extra else ""
        self._known: dict[int, str] = {}

    def __getitem__(self, index: int) -> str:
        if index not in self._known:
            text = serialize(self._rows[index]) + self._extra
            self._known[index] = hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()
        return self._known[index]


def keys_of(mapping: TableMapping, rows: list[Any], links: list[str], extra: dict[str, Any]) -> list[str] | Hashes:
    """A text per row; raises UserError where a primary key is a list or an object."""
    if not mapping.has_key:
        return Hashes(rows, extra)
    parts = [values_of(column, rows, extra) for column in mapping.key_columns]
    if mapping.is_link_key:
        parts.append(links)
    return [_joined(row) for row in zip(*parts, strict=True)]


def _joined(values: tuple[Any, ...]) -> str:
    if any(isinstance(value, (dict, list)) for value in values):
        shown = json_text(["" if value is None else value for value in values])
        raise UserError(
            "Bad Json to CSV Mapping configuration: "
            f"Only scalar values are allowed in primary key. Primary key: {shown}"
        )
    return ",".join(map(text_of, values))
