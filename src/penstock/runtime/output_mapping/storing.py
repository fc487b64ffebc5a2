"""Everything is checked before the first table is loaded: a run that cannot store one of them stores none.

Loads have ids, and so have files. A worker that takes over stores everything again, which changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager

import msgspec

from penstock.contracts.files import OutputFile
from penstock.contracts.tables import StoredTable, TableLoad
from penstock.foundation.errors import Forbidden, Invalid, NotFound
from penstock.runtime.data_folder import DataFolder
from penstock.runtime.output_mapping.ledger import reserve
from penstock.runtime.output_mapping.plans import Plan
from penstock.runtime.port import Port
from penstock.runtime.written import size_of


class LoadsFailed(Invalid):
    def __init__(self, failures: Sequence[str]) -> None:
        super().__init__("\n".join(failures))


class Stored(msgspec.Struct, frozen=True, kw_only=True):
    tables: list[StoredTable] = []
    file_ids: list[int] = []
    bytes: int = 0


def store(
    port: Port,
    folder: DataFolder,
    wanted: Plan,
    tell: Callable[[str], object] = lambda _line: None,
    check: Callable[[], object] = lambda: None,
) -> Stored:
    """`check` is called between the steps, and raises if the run is to stop."""
    _check(port, wanted, check)
    tables = _load_tables(port, wanted.tables, tell, check)
    file_ids = _store_files(port, folder, wanted.files, check)
    size = sum(size_of(table.file) for table in wanted.tables) + sum(size_of(file.path) for file in wanted.files)
    return Stored(tables=tables, file_ids=file_ids, bytes=size)


def _check(port: Port, wanted: Plan, check: Callable[[], object]) -> None:
    failures: list[str] = []
    for table in wanted.tables:
        check()
        with _noting(failures, table):
            port.check_table(table)
    for file in wanted.files:
        check()
        port.check_file(file)
    if failures:
        raise LoadsFailed(failures)


def _load_tables(
    port: Port, tables: Sequence[TableLoad], tell: Callable[[str], object], check: Callable[[], object]
) -> list[StoredTable]:
    """One that fails does not keep the others from coming: all that failed are named."""
    failures: list[str] = []
    found: list[StoredTable] = []
    for table in tables:
        check()
        with _noting(failures, table):
            stored = port.load_table(table)
            found.append(stored)
            rows = "1 row" if stored.rows_count == 1 else f"{stored.rows_count} rows"
            tell(f"Loaded table {stored.id}: it has {rows} now.")
    if failures:
        raise LoadsFailed(failures)
    return found


def _store_files(port: Port, folder: DataFolder, files: Sequence[OutputFile], check: Callable[[], object]) -> list[int]:
    ids = reserve(port, folder, [f"out/files/{file.name}" for file in files])
    for file_id, file in zip(ids.values(), files, strict=True):
        check()
        port.store_file(file_id, file)
    return list(ids.values())


@contextmanager
def _noting(failures: list[str], table: TableLoad) -> Generator[None]:
    """Say which table an error is about."""
    try:
        yield
    except (Invalid, Forbidden, NotFound) as error:
        failures.append(f'Failed to load table "{table.table_id}": {error.message}')
