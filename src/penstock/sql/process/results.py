"""Results of statements: a Parquet file with the rows, and a JSON file with the columns."""

from __future__ import annotations

import os
import re
import time
from contextlib import suppress
from pathlib import Path

import duckdb
import msgspec

from penstock.foundation.text.quoting import quote_name, quote_value
from penstock.sql.errors import ResultGone, StatementFailed
from penstock.sql.folders import RESULTS
from penstock.sql.messages import ReadEncoded
from penstock.sql.models import EncodedRows, Outcome, Page, ResultColumn
from penstock.sql.process.failures import in_query, to_failure
from penstock.sql.wire import read_rows

KEEP_SECONDS = 24 * 3600.0
GROUP_ROWS = 20_480
"""Rows of a group in the file: about as many as a client of the SQL port gets at once."""
_FORMAT = f"(FORMAT parquet, COMPRESSION snappy, ROW_GROUP_SIZE {GROUP_ROWS})"
_ID = re.compile(r"[A-Za-z0-9_-]{1,100}")
# Parquet has no type for these, or one that loses digits.
_EXACT = {"HUGEINT": "DECIMAL(38,0)"}
_AS_TEXT = re.compile(r"\b(HUGEINT|UHUGEINT|BIGNUM|BIT|UNION|VARIANT|TIME WITH TIME ZONE|INTERVAL)\b")


def rows_file(statement_id: str) -> Path:
    if not _ID.fullmatch(statement_id):
        raise StatementFailed("The id of a statement is made of letters, digits, - and _.")
    return Path(RESULTS, f"{statement_id}.parquet")


def write_query(cursor: duckdb.DuckDBPyConnection, statement_id: str, sql: str) -> Outcome:
    """The rows of a query, in its order. The text is known to be one query."""
    columns = _describe_query(cursor, sql)
    try:
        count = _write(cursor, statement_id, sql, columns, _EXACT)
    except duckdb.ConversionException as error:
        if "DECIMAL(38,0)" not in str(error):
            raise in_query(error, sql) from error
        # The largest numbers of all fit no other type than text.
        count = _write(cursor, statement_id, sql, columns, {})
    except duckdb.InterruptException:
        raise
    except duckdb.Error as error:
        raise in_query(error, sql) from error
    return write_outcome(statement_id, Outcome(columns=columns, number_of_rows=count))


def _write(
    cursor: duckdb.DuckDBPyConnection, statement_id: str, sql: str, columns: list[ResultColumn], exact: dict[str, str]
) -> int:
    names = [f"c{number}" for number in range(len(columns))]
    values = ", ".join(
        f"{_stored(name, each.type, exact)} AS {name}" for name, each in zip(names, columns, strict=True)
    )
    rows = f"SELECT {values} FROM (\n{sql}\n) AS result({', '.join(names)})"
    return _copy(cursor, rows, rows_file(statement_id))


def write_rows(
    cursor: duckdb.DuckDBPyConnection, statement_id: str, relation: duckdb.DuckDBPyRelation | None
) -> Outcome:
    """Rows of a statement that is not a query, which returns few, as the text that the database makes of them."""
    if relation is None:
        return write_outcome(statement_id, Outcome(message="Statement executed successfully."))
    columns = _columns_of(relation)
    lines = rows_file(statement_id).with_suffix(".jsonl")
    with lines.open("wb") as file:
        for row in _fetch_texts(relation):
            file.write(msgspec.json.encode({f"c{number}": text for number, text in enumerate(row)}) + b"\n")
    fields = ", ".join(f"c{number}: 'VARCHAR'" for number in range(len(columns)))
    source = f"read_json({quote_value(lines)}, format = 'newline_delimited', columns = {{{fields}}})"
    try:
        count = _copy(cursor, f"SELECT * FROM {source}", rows_file(statement_id))
    finally:
        lines.unlink()
    return write_outcome(statement_id, Outcome(columns=columns, number_of_rows=count))


def _fetch_texts(relation: duckdb.DuckDBPyRelation) -> list[tuple[str | None, ...]]:
    texts = (f"CAST(#{number} AS VARCHAR)" for number in range(1, len(relation.columns) + 1))
    return relation.project(", ".join(texts)).fetchall()


def write_outcome(statement_id: str, outcome: Outcome) -> Outcome:
    target = rows_file(statement_id).with_suffix(".json")
    new = target.with_suffix(".new")
    new.write_bytes(msgspec.json.encode(outcome))
    new.replace(target)
    return outcome


def describe(cursor: duckdb.DuckDBPyConnection, sql: str) -> list[ResultColumn]:
    return _columns_of(cursor.sql(sql))


def _columns_of(relation: duckdb.DuckDBPyRelation) -> list[ResultColumn]:
    return [to_column(name, str(kind)) for name, kind in zip(relation.columns, relation.types, strict=True)]


def _describe_query(cursor: duckdb.DuckDBPyConnection, sql: str) -> list[ResultColumn]:
    try:
        return describe(cursor, sql)
    except (duckdb.CatalogException, duckdb.BinderException) as error:
        raise _with_position(cursor, sql, error) from error


def _with_position(cursor: duckdb.DuckDBPyConnection, sql: str, error: duckdb.Error) -> StatementFailed:
    """An error of a query that was only described: the same one when it is explained, which says where it is."""
    try:
        cursor.execute(f"EXPLAIN\n{sql}")
    except type(error) as explained:
        return in_query(explained, sql)
    except duckdb.Error:
        pass  # the transaction has failed, and every statement with it
    return to_failure(error, sql)


def to_column(name: str, kind: str, *, nullable: bool = True) -> ResultColumn:
    return ResultColumn(name, kind, nullable)


def stored(column: ResultColumn) -> str:
    """The column as Parquet can hold it."""
    return f"{_stored(column.name, column.type, _EXACT)} AS {quote_name(column.name)}"


def read_page(cursor: duckdb.DuckDBPyConnection, statement_id: str, offset: int, limit: int) -> Page:
    outcome = read_outcome(statement_id)
    rows: list[list[str | None]] = []
    if outcome.columns and offset < outcome.number_of_rows and limit:
        texts = ", ".join(f"CAST(c{number} AS VARCHAR)" for number in range(len(outcome.columns)))
        source = _read_rows(statement_id, offset, limit)
        rows = [list(row) for row in cursor.execute(f"SELECT {texts} FROM ({source})").fetchall()]
    return Page(columns=outcome.columns, rows=rows, number_of_rows=outcome.number_of_rows)


def read_encoded(cursor: duckdb.DuckDBPyConnection, request: ReadEncoded) -> EncodedRows:
    columns = read_outcome(request.statement_id).columns
    end = (request.offset // GROUP_ROWS + 1) * GROUP_ROWS
    source = _read_rows(request.statement_id, request.offset, min(request.limit, end - request.offset))
    return read_rows(cursor, source, columns, request.formats)


def _read_rows(statement_id: str, offset: int, limit: int) -> str:
    """Select rows by their number, with which the database skips whole groups; an OFFSET would read all before it."""
    source = f"read_parquet({quote_value(rows_file(statement_id))}, file_row_number = true)"
    return f"FROM {source} WHERE file_row_number >= {int(offset)} AND file_row_number < {int(offset) + int(limit)}"


def read_outcome(statement_id: str) -> Outcome:
    try:
        content = rows_file(statement_id).with_suffix(".json").read_bytes()
    except FileNotFoundError as error:
        raise ResultGone(statement_id) from error
    return msgspec.json.decode(content, type=Outcome)


def remove_old_results() -> None:
    oldest = time.time() - KEEP_SECONDS
    with os.scandir(RESULTS) as entries:
        for entry in entries:
            with suppress(OSError):
                if entry.stat(follow_symlinks=False).st_mtime < oldest:
                    Path(entry.path).unlink()


def _stored(name: str, kind: str, types: dict[str, str]) -> str:
    exact = types.get(kind) or ("VARCHAR" if _AS_TEXT.search(kind) else None)
    return f"CAST({quote_name(name)} AS {exact})" if exact else quote_name(name)


def _copy(cursor: duckdb.DuckDBPyConnection, rows: str, target: Path) -> int:
    written = cursor.execute(f"COPY ({rows}) TO {quote_value(target)} {_FORMAT}").fetchall()
    return int(written[0][0])
