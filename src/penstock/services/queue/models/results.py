"""How a job ended, in the words of its `result`."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

ROWS = "importedRowsCount"
"""The metric of a written table that has the rows of the load."""


class TableRef(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """A table that a job has read or written; `metrics` only of those it has written."""

    id: str
    name: str
    display_name: str
    columns: list[dict[str, str]]
    metrics: list[dict[str, Any]] | UnsetType = UNSET


class Variable(msgspec.Struct, frozen=True):
    name: str
    value: str


class Input(msgspec.Struct, frozen=True):
    tables: list[TableRef] = []


class Output(msgspec.Struct, frozen=True):
    tables: list[TableRef] = []
    variables: list[Variable] | UnsetType = UNSET


class Image(msgspec.Struct, frozen=True):
    id: str
    digests: list[str] = []


class Failure(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    type: str
    exception_id: str


class Result(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    message: str
    config_version: str | UnsetType = UNSET
    images: list[list[Image]] | UnsetType = UNSET
    input: Input = Input()
    output: Output = Output()
    variables: list[Variable] | UnsetType = UNSET
    artifacts: dict[str, list[dict[str, str]]] | UnsetType = UNSET
    warnings: list[str] | UnsetType = UNSET
    """Sentences about a run that succeeded, but may have brought too little."""
    error: Failure | UnsetType = UNSET
    phases: list[dict[str, Any]] | UnsetType = UNSET
    tasks: list[dict[str, Any]] | UnsetType = UNSET

    @property
    def rows_written(self) -> int:
        """Rows that were loaded into tables."""
        metrics = [each for table in self.output.tables if table.metrics for each in table.metrics]
        return sum(int(each["value"]) for each in metrics if each.get("name") == ROWS)
