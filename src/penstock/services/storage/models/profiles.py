"""The profile of a table: statistics of its columns."""

from __future__ import annotations

from penstock.foundation.structs import Wire


class LengthProfile(Wire, frozen=True):
    """Characters of the values as text."""

    min: int
    max: int
    avg: float


class NumberProfile(Wire, frozen=True):
    min: float
    max: float
    avg: float
    median: float


class ColumnFacts(Wire, frozen=True):
    null_count: int
    """In an untyped table also of empty texts."""
    distinct_count: int
    duplicate_count: int
    is_estimate: bool
    """Whether distinct values, duplicates and the median are estimated: the table is large."""
    length: LengthProfile
    min_value: str
    max_value: str
    numeric_statistics: NumberProfile | None
    """If every value is a number."""


class ColumnProfile(Wire, frozen=True):
    name: str
    profile: ColumnFacts


class TableFigures(Wire, frozen=True):
    row_count: int
    column_count: int
    data_size: int


class TableProfile(Wire, frozen=True):
    table_id: str
    created_at: str
    profile: TableFigures
    columns: list[ColumnProfile]
