"""Convert the fields of a file to values of columns, and the file to Parquet.

Errors name a value that does not fit its column, or a malformed row, and its position.
"""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import duckdb
import msgspec

from penstock.foundation import clock
from penstock.foundation.lake.csv_source import DEFAULT_LINE_BYTES, LINE_BYTES, CsvSource, check_gzip, read_csv
from penstock.foundation.lake.errors import BadCsv, RowTooLarge, cut
from penstock.foundation.lake.python_csv import rewrite
from penstock.foundation.lake.session import Session
from penstock.foundation.lake.staging import write_parquet
from penstock.foundation.lake.types import DIGEST, TEXT, TIMESTAMP, Column, digest_of
from penstock.foundation.lake.unpacking import Meter, Unpacking
from penstock.foundation.text.quoting import name_list, quote_name, quote_time, quote_value, value_list

INTERRUPT_SECONDS = 0.1
NO_DIGEST = "NULL::UBIGINT"

Staged = tuple[Path, int]
"""The path of the written rows, and their number."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """How fields become columns of the table."""

    source: CsvSource
    columns: list[Column]
    is_typed: bool
    has_digest: bool
    null_values: tuple[str, ...]
    unpacking: Unpacking

    @property
    def given(self) -> list[Column]:
        return [column for column in self.columns if column.name in self.source.columns]

    @property
    def missing(self) -> list[Column]:
        return [column for column in self.columns if column.name not in self.source.columns]


def stage_rows(session: Session, folder: Path, plan: Plan) -> Staged:
    """All rows of the source, in order."""
    try:
        return _check_nulls(session, plan, _stage(session, folder, plan))
    except duckdb.DataError as error:
        raise BadCsv(_find_misfit(session, plan) or "a value does not fit its column.") from error


def _stage(session: Session, folder: Path, plan: Plan) -> Staged:
    """Try the engine's reader, then with larger buffers for long rows, then the reader in Python."""
    if plan.source.needs_python:
        return _write_with_python(session, folder, plan)
    for line_bytes in (DEFAULT_LINE_BYTES, LINE_BYTES):
        try:
            return _write_checked(session, folder, plan, line_bytes)
        except (duckdb.InvalidInputException, duckdb.NotImplementedException) as error:
            if not _is_about_length(error):
                return _write_with_python(session, folder, plan)
    raise RowTooLarge(LINE_BYTES)


def _is_about_length(error: duckdb.Error) -> bool:
    return isinstance(error, duckdb.NotImplementedException) or "line size" in str(error)


def _write_with_python(session: Session, folder: Path, plan: Plan) -> Staged:
    """Raises for the first malformed row, if any."""
    rewritten = rewrite(plan.source, folder / "rows.csv", _meter(session, plan), session.work.check)
    try:
        return _write(session, folder, plan, rewritten, LINE_BYTES)
    except (duckdb.InvalidInputException, duckdb.NotImplementedException) as error:
        if _is_about_length(error):
            raise RowTooLarge(LINE_BYTES) from error
        raise BadCsv("the file cannot be read as CSV.") from error


def _write_checked(session: Session, folder: Path, plan: Plan, line_bytes: int) -> Staged:
    """Meanwhile checks that compressed files are complete and within the limits: the engine decompresses with one
    thread anyway."""
    if not plan.source.compressed:
        return _write(session, folder, plan, plan.source, line_bytes)
    is_written = threading.Event()
    with ThreadPoolExecutor(1) as pool:
        checked = pool.submit(_check_meanwhile, session, plan, is_written)
        try:
            return _write(session, folder, plan, plan.source, line_bytes)
        finally:
            is_written.set()
            checked.result()


def _check_meanwhile(session: Session, plan: Plan, is_written: threading.Event) -> None:
    """An error stops the engine too. One interrupt is not enough: it is ignored between two statements."""
    try:
        check_gzip(plan.source, _meter(session, plan))
    except Exception:
        session.duck.interrupt()
        while not is_written.wait(INTERRUPT_SECONDS):
            session.duck.interrupt()
        raise


def _meter(session: Session, plan: Plan) -> Meter:
    return Meter(plan.unpacking, plan.source.compressed, session.work.check)


def _write(session: Session, folder: Path, plan: Plan, source: CsvSource, line_bytes: int) -> Staged:
    rows = f"SELECT {', '.join(_values(plan))} FROM ({read_csv(source, line_bytes)})"
    complete = with_hidden(rows, digest_of(plan.columns) if plan.has_digest else NO_DIGEST)
    staged = write_parquet(session, folder, complete, len(plan.columns))
    if line_bytes == LINE_BYTES:
        _check_length(session, plan, staged[0])
    return staged


def _check_length(session: Session, plan: Plan, staged: Path) -> None:
    """The engine enforces its limit only roughly."""
    size = " + ".join(f"strlen({quote_name(column.name)})" for column in plan.given if column.type == TEXT) or "0"
    if session.one(f"SELECT coalesce(max({size}), 0) FROM read_parquet({quote_value(staged)})")[0] > LINE_BYTES:
        raise RowTooLarge(LINE_BYTES)


def with_hidden(rows: str, digest: str) -> str:
    """The rows with the hidden columns; `digest` is SQL."""
    own = f"{quote_time(clock.now())} AS {TIMESTAMP}"
    if digest == DIGEST:  # the rows have it already
        return f"SELECT * EXCLUDE ({DIGEST}), {own}, {DIGEST} FROM ({rows})"
    return f"SELECT *, {own}, {digest} AS {DIGEST} FROM ({rows})"


def _values(plan: Plan) -> list[str]:
    given = {column.name: f"{_value(column, plan)}" for column in plan.given}
    return [f"{given.get(each.name) or _filler(each, plan)} AS {quote_name(each.name)}" for each in plan.columns]


def _value(column: Column, plan: Plan) -> str:
    text = _text(column, plan)
    return text if column.type == TEXT else f"CAST({text} AS {column.type})"


def _text(column: Column, plan: Plan) -> str:
    """The field, without the texts that mean NULL."""
    name = quote_name(column.name)
    if not plan.is_typed or not plan.null_values:
        return name
    return f"CASE WHEN {name} NOT IN ({value_list(plan.null_values)}) THEN {name} END"


def _filler(column: Column, plan: Plan) -> str:
    return column.filler if plan.is_typed else "''"


def _check_nulls(session: Session, plan: Plan, staged: Staged) -> Staged:
    needed = [column for column in plan.columns if plan.is_typed and not column.nullable]
    absent = [f"count(*) - count({quote_name(column.name)})" for column in needed]
    if needed and staged[1]:
        counts = session.one(f"SELECT {', '.join(absent)} FROM read_parquet({quote_value(staged[0])})")
        if any(counts):
            raise BadCsv(_find_misfit(session, plan) or f"{_lacking(needed, counts)} may not be empty.")
    return staged


def _lacking(needed: list[Column], counts: tuple[int, ...]) -> str:
    return "column " + name_list(column.name for column, count in zip(needed, counts, strict=True) if count)


def _find_misfit(session: Session, plan: Plan) -> str | None:
    """A message about the first value that does not fit, found by reading again with row numbers."""
    if not plan.given:
        return None
    texts = ", ".join(f"{_text(column, plan)} AS {quote_name(column.name)}" for column in plan.given)
    rows = f"SELECT row_number() OVER () AS {_ROW}, {texts} FROM ({read_csv(plan.source, LINE_BYTES)})"
    found = [_misfit_in(session, rows, column) for column in plan.given]
    wrong = min((each for each in found if each), default=None)
    first = plan.source.skip_lines + plan.source.has_header
    return f"Row {wrong[0] + first}, {wrong[1]}" if wrong else None


_ROW = "row_in_file_0"


def _misfit_in(session: Session, rows: str, column: Column) -> tuple[int, str] | None:
    name = quote_name(column.name)
    misfit = f"{name} IS NOT NULL AND TRY_CAST({name} AS {column.type}) IS NULL"
    condition = misfit if column.nullable else f"{name} IS NULL OR ({misfit})"
    found = session.execute(f"SELECT {_ROW}, {name} FROM ({rows}) WHERE {condition} LIMIT 1").fetchone()
    if not found:
        return None
    value = "" if found[1] is None else cut(str(found[1]))
    reason = f'"{value}" is not a valid {column.type}.' if found[1] is not None else "the value may not be empty."
    return int(found[0]), f'column "{column.name}": {reason}'
