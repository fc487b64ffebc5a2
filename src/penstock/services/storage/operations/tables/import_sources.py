"""Where the rows of an import come from: an uploaded file, or a table of a workspace."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import msgspec

from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.lake import CsvSource, folded, to_native_type
from penstock.foundation.stack import Stack
from penstock.foundation.text.quoting import quote_name, quote_value
from penstock.services.storage.errors.imports import ColumnsNotMatch
from penstock.services.storage.errors.tables import InvalidColumn, InvalidTable, NoColumns
from penstock.services.storage.errors.workspaces import ObjectNotFound
from penstock.services.storage.models.column_types import ColumnType, GivenType, read_type
from penstock.services.storage.models.queries import ImportRequest
from penstock.services.storage.models.tables import TableRow
from penstock.services.storage.names import read_header
from penstock.services.storage.operations.files import files
from penstock.services.storage.operations.files.files import FileSource
from penstock.services.storage.operations.tables.csv_files import first_record, to_source
from penstock.services.storage.operations.tables.definitions import check_width
from penstock.services.storage.operations.workspace_engines import open_engine
from penstock.services.storage.operations.workspace_rows import get_sql_workspace
from penstock.sql import Engine, ResultColumn, Statement, WorkspaceTable

TIMESTAMP = "_timestamp"


class Rows(msgspec.Struct, frozen=True, kw_only=True):
    """What is imported."""

    header: list[str]
    source: CsvSource
    null_values: tuple[str, ...]
    """The texts that mean NULL, if the table is typed."""
    types: dict[str, ColumnType] | None = None
    """Of the columns of a workspace's table."""


def check_workspace(tx: Transaction, caller: Caller, request: ImportRequest) -> None:
    get_sql_workspace(tx, caller, request.data_workspace_id or 0)
    if not request.workspace_table:
        raise InvalidTable("Name the table of the workspace with `dataTableName`.")


@contextmanager
def rows_for(stack: Stack, caller: Caller, row: TableRow, request: ImportRequest) -> Generator[Rows]:
    """Rows for a table that exists. They are there while the block runs."""
    if request.data_workspace_id is not None:
        with _of_workspace(stack, caller, request, is_typed=row.types is not None) as rows:
            yield rows
    else:
        source = open_file(stack, caller, request)
        yield _of_file(source, _header(row, source, request), request)


@contextmanager
def new_rows(stack: Stack, caller: Caller, request: ImportRequest, *, is_typed: bool) -> Generator[Rows]:
    """Rows for a new table."""
    if request.data_workspace_id is not None:
        with _of_workspace(stack, caller, request, is_typed=is_typed) as rows:
            yield rows
    else:
        source = open_file(stack, caller, request)
        yield _of_file(source, _new_header(source, request), request)


def open_file(stack: Stack, caller: Caller, request: ImportRequest) -> FileSource:
    with stack.database.reading() as tx:
        return files.open_source(stack, files.get_source(tx, stack, caller, request.data_file_id or 0))


def _of_file(source: FileSource, header: list[str], request: ImportRequest) -> Rows:
    nulls = ("",) if request.treat_values_as_null is None else tuple(request.treat_values_as_null)
    return Rows(header=header, source=to_source(source, header, request), null_values=nulls)


@contextmanager
def _of_workspace(stack: Stack, caller: Caller, request: ImportRequest, *, is_typed: bool) -> Generator[Rows]:
    with stack.database.reading() as tx:
        row = get_sql_workspace(tx, caller, request.data_workspace_id or 0)
    with open_engine(stack, row) as engine:
        table = _find_table(engine.list_objects(), request.workspace_table)
        if not table:
            raise ObjectNotFound(request.workspace_table, row.schema)
        columns = _choose(table.columns, request)
        check_width(len(columns))
        header = read_header([column.name for column in columns])
        null = f"null-{uuid4().hex}" if is_typed else ""
        path = _export(engine, f"{quote_name(row.schema)}.{quote_name(table.name)}", columns, null)
    try:
        source = CsvSource(paths=(path,), columns=tuple(header), has_header=True)
        types = read_types(header, columns) if is_typed else None
        yield Rows(header=header, source=source, null_values=(null,), types=types)
    finally:
        path.unlink(missing_ok=True)


def _find_table(present: list[WorkspaceTable], name: str) -> WorkspaceTable | None:
    """Find a table by its name, or by its name in another case: names without quotes have none in SQL."""
    found = [each for each in present if folded(each.name) == folded(name)]
    return next((each for each in found if each.name == name), found[0] if found else None)


def _choose(present: list[ResultColumn], request: ImportRequest) -> list[ResultColumn]:
    """The requested columns, or all but the one that loads of clones add."""
    if not request.columns:
        return [column for column in present if column.name != TIMESTAMP]
    known = {folded(column.name): column for column in present}
    missing = [name for name in request.columns if folded(name) not in known]
    if missing:
        raise ColumnsNotMatch(
            f'The table "{request.workspace_table}" of the workspace has no columns "{", ".join(missing)}".'
        )
    return [known[folded(name)] for name in request.columns]


def _export(engine: Engine, address: str, columns: list[ResultColumn], null: str) -> Path:
    """A CSV file of the table. NULL becomes a text that no value has, so that it stays apart from the empty text."""
    texts = [f"coalesce(CAST({quote_name(column.name)} AS VARCHAR), {quote_value(null)})" for column in columns]
    values = ", ".join(f"{text} AS c{number}" for number, text in enumerate(texts))
    statement = Statement(id=f"export-{uuid4().hex}", sql=f"SELECT {values} FROM {address}", dialect="duckdb")
    engine.execute(statement, lambda _: ())
    return engine.export(statement.id, "csv")


def _header(row: TableRow, source: FileSource, request: ImportRequest) -> list[str]:
    """The columns of the fields in the file, in their order."""
    if request.columns:
        check_width(len(request.columns))
        return read_header(request.columns)
    if request.without_headers or request.ignored_lines_count:
        return row.columns
    if source.is_sliced:
        raise ColumnsNotMatch("Slices have no header: name their columns with `columns`, or use `withoutHeaders`.")
    names = first_record(source, request)
    check_width(len(names), row.id)
    return read_header(names) if names else []


def _new_header(source: FileSource, request: ImportRequest) -> list[str]:
    if request.columns:
        check_width(len(request.columns))
        return read_header(request.columns)
    if source.is_sliced or request.without_headers or request.ignored_lines_count:
        raise InvalidColumn("The file has no header: name its columns with `columns`.")
    names = first_record(source, request)
    if not names:
        raise NoColumns
    check_width(len(names))
    return read_header(names)


def read_types(names: Sequence[str], columns: Sequence[ResultColumn]) -> dict[str, ColumnType]:
    """Return types by the names that the columns have in Storage."""
    return {name: _read_type(name, column) for name, column in zip(names, columns, strict=True)}


def _read_type(name: str, column: ResultColumn) -> ColumnType:
    native = to_native_type(column.type)
    found = read_type(name, GivenType(type=native.type, length=native.length), None)
    assert found
    return msgspec.structs.replace(found, nullable=column.nullable)
