"""Load a CSV file: Parquet is written and synced outside the lock, then committed under it.

Every load has an id that is stored in the commit itself. A load that is repeated after a crash finds its id and does
nothing, so that no row is lost or duplicated.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

import duckdb
import msgspec

from penstock.foundation.files import durable
from penstock.foundation.lake.catalogs import LakeTable
from penstock.foundation.lake.compaction import compact, needs_compaction
from penstock.foundation.lake.csv_source import CsvSource
from penstock.foundation.lake.errors import BadCsv, LakeUnavailable, NoSuchTable
from penstock.foundation.lake.lake import Lake
from penstock.foundation.lake.merging import delete_replaced, keep_changed, keep_last
from penstock.foundation.lake.relations import extend, find_columns, lacking_of
from penstock.foundation.lake.rewrite import change_types
from penstock.foundation.lake.session import Session
from penstock.foundation.lake.sizes import Sizes, measure
from penstock.foundation.lake.staging import add_file, empty_staging, replace_rows
from penstock.foundation.lake.types import TEXT, Column
from penstock.foundation.lake.unpacking import Unpacking
from penstock.foundation.lake.values import Plan, stage_rows
from penstock.foundation.logging import Log
from penstock.foundation.text.quoting import folded, name_list

log = Log("lake")


CheckSize = Callable[[int, int], None]
"""Is given the rows and the bytes that the table would have."""


class Load(msgspec.Struct, frozen=True, kw_only=True):
    """How to load a file: replace the table, or (incremental) append to it, updating rows by key if it has one."""

    id: str
    source: CsvSource
    primary_key: tuple[str, ...] = ()
    incremental: bool = False
    types: tuple[Column, ...] = ()
    """The columns of a typed table; an incremental load may make their types wider. In an untyped table all values
    are text, and none is NULL."""
    null_values: tuple[str, ...] = ("",)
    """The texts that mean NULL in the file of a typed table, besides an empty field that is not enclosed."""
    deduplication: Literal["upsert", "insert"] = "upsert"
    """`insert` ignores the key: every row of the file is appended."""
    keeps_order: bool = False
    """Whether a load that replaces the table keeps the order of its columns, whatever that of the file is."""
    fill_missing: bool = True
    """Whether columns of the table may be missing in the file."""
    check_size: CheckSize | None = None
    """Called before the commit, if there is a limit; raises to refuse the load, which then changes nothing."""

    @property
    def is_by_key(self) -> bool:
        return bool(self.primary_key) and self.deduplication == "upsert"


class Loaded(msgspec.Struct, frozen=True, kw_only=True):
    """The number of loaded rows, and the size of the table afterwards."""

    imported_rows: int
    """Without those of the file whose key occurs again."""
    repeated_keys: int = 0
    """How many rows of the file have a key that occurs again; 0 for a load that was committed before."""
    rows_count: int
    data_size_bytes: int


def load_csv(lake: Lake, table: LakeTable, load: Load) -> Loaded:
    """The caller holds the table's lock: one_writer()."""
    with lake.session(table) as session:
        imported, repeated = _bring_once(session, table, load, lake.unpacking)
        sizes = measure(session)
    if needs_compaction(sizes):
        _compact(lake, table, sizes)
    return Loaded(imported_rows=imported, repeated_keys=repeated, rows_count=sizes.rows, data_size_bytes=sizes.bytes)


def is_loaded(lake: Lake, table: LakeTable, load_id: str) -> bool:
    """Whether a load was already committed. The caller holds the table's lock: one_writer()."""
    with lake.session(table) as session:
        return session.find_note(load_id) is not None


def _all_columns(load: Load, existing: list[Column]) -> list[Column]:
    """The columns after the load, in the table's order. Definitions of the load take precedence."""
    typed = {folded(column.name): column for column in load.types}
    wanted = [*load.types, *[Column(name) for name in load.source.columns if folded(name) not in typed]]
    columns = [typed.get(folded(column.name), column) for column in [*existing, *lacking_of(existing, wanted)]]
    return columns if load.incremental or load.keeps_order else sorted(columns, key=_place_in(load.source))


def _place_in(source: CsvSource) -> Callable[[Column], int]:
    """The position of a column in the file; missing columns come last."""
    places = {folded(name): place for place, name in enumerate(source.columns)}
    return lambda column: places.get(folded(column.name), len(places))


def _spelled(source: CsvSource, columns: list[Column]) -> CsvSource:
    """The columns under the names that the table uses; the engine ignores case, `ID` and `id` are the same."""
    names = {folded(column.name): column.name for column in columns}
    spelled = tuple(names[folded(name)] for name in source.columns)
    if len(set(spelled)) < len(spelled):
        twice = next(name for name in spelled if spelled.count(name) > 1)
        raise BadCsv(f'the column "{folded(twice)}" comes twice.')
    return msgspec.structs.replace(source, columns=spelled)


def _compact(lake: Lake, table: LakeTable, sizes: Sizes) -> None:
    """The rows are committed, so a failure here is not an error of the load: the next load tries again."""
    try:
        with lake.session(table) as session:
            compact(session, sizes)
    except (LakeUnavailable, duckdb.Error) as error:
        log.error("small files could not be merged", exception=error, bucket=table.bucket, table=table.name)


def _bring_once(session: Session, table: LakeTable, load: Load, unpacking: Unpacking) -> tuple[int, int]:
    note = session.find_note(load.id)
    if note is not None:
        return int(note), 0
    session.work.release()
    known = find_columns(session)
    if known is None and table.is_known:
        raise NoSuchTable(table.name)
    return _bring(session, load, known, unpacking)


def _bring(session: Session, load: Load, existing: list[Column] | None, unpacking: Unpacking) -> tuple[int, int]:
    """Load the file; returns its number of rows, without those whose key occurs again, and the number of those. The
    table or its new columns are created in the commit that adds the rows: a failed load leaves nothing. Only wider
    types of its columns are committed before, when the file has been read: they change no value."""
    columns, key = _all_columns(load, existing or []), list(load.primary_key)
    lacking = columns[len(existing or []) :]
    with empty_staging(session) as folder:
        staged, imported = stage_rows(session, folder, _plan(load, columns, unpacking))
        read = imported
        if existing and load.incremental and _has_new_types(existing, columns):
            existing = change_types(session, folder, existing, columns)
        if load.is_by_key:
            staged, fewer = keep_last(session, staged, columns, key)
            imported = imported if fewer is None else fewer
        is_upsert = load.is_by_key and load.incremental and existing is not None
        if is_upsert:
            staged = keep_changed(session, staged, columns, key, lacking)
        durable.sync_path(staged)
        size = _find_size(session, load, staged)
        with session.commit(load.id, imported):
            if load.incremental:
                extend(session, existing, lacking)
                if is_upsert:
                    delete_replaced(session, columns, key)
                add_file(session, staged)
            else:
                replace_rows(session, columns, staged)
            if load.check_size:
                load.check_size(session.one(f"SELECT count(*) FROM {session.address}")[0], size)
    return imported, read - imported


def _find_size(session: Session, load: Load, staged: Path) -> int:
    """The bytes of the table after the load, if they are needed; rows that it replaces still count."""
    if not load.check_size:
        return 0
    return staged.stat().st_size + (measure(session).bytes if load.incremental else 0)


def _has_new_types(existing: list[Column], columns: list[Column]) -> bool:
    """`columns` begin with the known ones."""
    return any(old.storage_type != new.storage_type for old, new in zip(existing, columns, strict=False))


def _plan(load: Load, columns: list[Column], unpacking: Unpacking) -> Plan:
    is_typed = bool(load.types) or any(column.type != TEXT for column in columns)
    plan = Plan(
        source=msgspec.structs.replace(_spelled(load.source, columns), has_nulls=is_typed),
        columns=_without_nulls(columns, load.primary_key) if is_typed else columns,
        is_typed=is_typed,
        has_digest=bool(load.primary_key),
        null_values=load.null_values,
        unpacking=unpacking,
    )
    if plan.missing and not load.fill_missing:
        raise BadCsv(f"the file lacks columns of the table: {name_list(column.name for column in plan.missing)}.")
    return plan


def _without_nulls(columns: list[Column], key: tuple[str, ...]) -> list[Column]:
    """Columns of the key need a value, also where the table got its key after the column was defined as nullable."""
    names = set(map(folded, key))
    return [
        msgspec.structs.replace(column, nullable=column.nullable and folded(column.name) not in names)
        for column in columns
    ]
