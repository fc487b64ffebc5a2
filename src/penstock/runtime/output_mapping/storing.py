"""Everything is checked before the first table is loaded: a run that cannot store one of them stores none.

Loads have ids, and so have files. A worker that takes over stores everything again, which changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress

import msgspec

from penstock.contracts.files import OutputFile
from penstock.contracts.tables import StoredTable, TableLoad
from penstock.foundation.errors import Forbidden, Invalid, NotFound
from penstock.foundation.files import durable
from penstock.runtime.data_folder import DataFolder
from penstock.runtime.output_mapping.plans import Plan
from penstock.runtime.port import Port
from penstock.runtime.written import get_size


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
    plan: Plan,
    log: Callable[[str], object] = lambda _line: None,
    check_stopped: Callable[[], object] = lambda: None,
) -> Stored:
    """`check_stopped` is called between the steps, and raises if the run is to stop."""
    _check(port, plan, check_stopped)
    tables = _load_tables(port, plan.tables, log, check_stopped)
    file_ids = _store_files(port, folder, plan.files, check_stopped)
    size = sum(get_size(table.file) for table in plan.tables) + sum(get_size(file.path) for file in plan.files)
    return Stored(tables=tables, file_ids=file_ids, bytes=size)


def _check(port: Port, plan: Plan, check_stopped: Callable[[], object]) -> None:
    failures: list[str] = []
    for table in plan.tables:
        check_stopped()
        with _noting(failures, table):
            port.check_table(table)
    for file in plan.files:
        check_stopped()
        port.check_file(file)
    if failures:
        raise LoadsFailed(failures)


def _load_tables(
    port: Port, tables: Sequence[TableLoad], log: Callable[[str], object], check_stopped: Callable[[], object]
) -> list[StoredTable]:
    """One that fails does not keep the others from coming: all that failed are named."""
    failures: list[str] = []
    loaded: list[StoredTable] = []
    for table in tables:
        check_stopped()
        with _noting(failures, table):
            stored = port.load_table(table)
            loaded.append(stored)
            rows = "1 row" if stored.rows_count == 1 else f"{stored.rows_count} rows"
            log(f"Loaded table {stored.id}: it has {rows} now.")
    if failures:
        raise LoadsFailed(failures)
    return loaded


def _store_files(
    port: Port, folder: DataFolder, files: Sequence[OutputFile], check_stopped: Callable[[], object]
) -> list[int]:
    ids = reserve(port, folder, [f"out/files/{file.name}" for file in files])
    for file_id, file in zip(ids.values(), files, strict=True):
        check_stopped()
        port.store_file(file_id, file)
    return list(ids.values())


@contextmanager
def _noting(failures: list[str], table: TableLoad) -> Generator[None]:
    """Say which table an error is about."""
    try:
        yield
    except (Invalid, Forbidden, NotFound) as error:
        failures.append(f'Failed to load table "{table.table_id}": {error.message}')


def reserve(port: Port, folder: DataFolder, names: Sequence[str]) -> dict[str, int]:
    """Returns an id for each name; the same ones when it is called again.

    They are stored next to the data folder, where the component does not write, before the first file is: a worker that
    has to try again stores none of them twice.
    """
    file = folder.path.with_name(f"{folder.path.name}.files")
    ids: dict[str, int] = {}
    with suppress(FileNotFoundError):
        ids = msgspec.json.decode(file.read_bytes(), type=dict[str, int])
    new = [name for name in names if name not in ids]
    if new:
        ids |= dict(zip(new, port.reserve_files(len(new)), strict=True))
        durable.write_file(file, msgspec.json.encode(ids))
    return {name: ids[name] for name in names}
