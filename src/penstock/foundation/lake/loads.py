"""A CSV file becomes rows: Parquet is written and synced outside the lock, then committed under it.

Every load has an id that is kept in the commit itself. A load that is repeated after a crash finds its id and does
nothing, so that a row is neither lost nor doubled.
"""

from __future__ import annotations

import uuid
from collections.abc import Generator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

import duckdb
import msgspec

from penstock.foundation import clock, durable
from penstock.foundation.errors import Invalid
from penstock.foundation.lake.engine import SCHEMA, Lake, LakeTable, quote_name, quote_text

TIMESTAMP = "_timestamp"
LINE_BYTES = 64 * 1024 * 1024
REASON_CHARACTERS = 500


class Csv(msgspec.Struct, frozen=True, kw_only=True):
    """A file with a header line, every field of which is a column, in order."""

    path: Path
    columns: tuple[str, ...]


class Load(msgspec.Struct, frozen=True, kw_only=True):
    """What to do with a file: replace the table, or (incremental) add to it, updating by key where it has one."""

    id: str
    csv: Csv
    primary_key: tuple[str, ...] = ()
    incremental: bool = False


class Loaded(msgspec.Struct, frozen=True, kw_only=True):
    """How much the load brought, and how much the table holds now."""

    imported_rows: int
    rows_count: int
    data_size_bytes: int


class BadCsv(Invalid):
    code = "invalidData"

    def __init__(self, reason: str) -> None:
        super().__init__(f"Load error: {reason}")


def load_csv(lake: Lake, table: LakeTable, load: Load) -> Loaded:
    """The caller holds the table: one_writer()."""
    with lake.session(table) as duck:
        absent = _make_table(lake, duck, table, load.csv.columns)
        imported = _find_committed(duck, table, load.id)
        if imported is None:
            _sweep(lake, duck, table)
            parquet, imported = _write_parquet(lake, duck, table, _rows_of(load, absent))
            _commit(lake, duck, table, load, parquet, imported)
        return _measure(duck, table, imported)


def _make_table(lake: Lake, duck: duckdb.DuckDBPyConnection, table: LakeTable, columns: tuple[str, ...]) -> list[str]:
    """Create the table, or give it the columns it does not have yet; returns those that the file does not have."""
    fields = ", ".join(f"{quote_name(name)} VARCHAR" for name in columns)
    with lake.commit_lock(table), _transaction(duck):
        duck.execute(f"CREATE TABLE IF NOT EXISTS {table.address} ({fields}, {TIMESTAMP} TIMESTAMP)")
        known = [row[0] for row in duck.execute(f"DESCRIBE {table.address}").fetchall()]
        for name in columns:
            if name not in known:
                duck.execute(f"ALTER TABLE {table.address} ADD COLUMN {quote_name(name)} VARCHAR")
    lake.folder_of(table).mkdir(parents=True, exist_ok=True)
    return [name for name in known if name not in (*columns, TIMESTAMP)]


def _find_committed(duck: duckdb.DuckDBPyConnection, table: LakeTable, load_id: str) -> int | None:
    """How many rows the load brought, if it was committed before."""
    changes = f"{table.metadata}.ducklake_snapshot_changes"
    question = f"SELECT commit_message FROM {changes} WHERE commit_extra_info = ? LIMIT 1"
    found = duck.execute(question, [_mark(table, load_id)]).fetchone()
    return int(found[0]) if found else None


def _mark(table: LakeTable, load_id: str) -> str:
    return f"{table.relation} {load_id}"


def _sweep(lake: Lake, duck: duckdb.DuckDBPyConnection, table: LakeTable) -> None:
    """Remove what a killed load left behind. Nobody else writes here: the caller holds the table."""
    own = f"SELECT table_id FROM {table.metadata}.ducklake_table WHERE table_name = '{table.relation}'"
    known: set[str] = set()
    for kind in ("data", "delete"):
        files = f"SELECT path FROM {table.metadata}.ducklake_{kind}_file WHERE table_id IN ({own})"
        known |= {Path(row[0]).name for row in duck.execute(files).fetchall()}
    for path in lake.folder_of(table).iterdir():
        if path.name not in known:
            path.unlink()


def _write_parquet(lake: Lake, duck: duckdb.DuckDBPyConnection, table: LakeTable, rows: str) -> tuple[Path, int]:
    target = lake.folder_of(table) / f"{uuid.uuid4()}.parquet"
    try:
        copy = f"COPY ({rows}) TO '{quote_text(target)}' (FORMAT parquet, COMPRESSION zstd)"
        copied = duck.execute(copy).fetchone()
    except (duckdb.InvalidInputException, duckdb.ConversionException) as error:
        raise BadCsv(_reason(error)) from error
    durable.sync_path(target)
    durable.sync_path(target.parent)
    return target, int(copied[0]) if copied else 0


def _rows_of(load: Load, absent: list[str]) -> str:
    """The file's rows as text, an absent value being the empty one; of rows with one key the last stays."""
    given = [f"coalesce({quote_name(name)}, '') AS {quote_name(name)}" for name in load.csv.columns]
    names = ", ".join(given + [f"'' AS {quote_name(name)}" for name in absent])
    stamp = f"TIMESTAMP '{clock.now():%Y-%m-%d %H:%M:%S.%f}' AS {TIMESTAMP}"
    rows = f"SELECT {names}, {stamp} FROM {_reader(load.csv)}"
    if not load.primary_key:
        return rows
    key, position = ", ".join(map(quote_name, load.primary_key)), _free_name([*load.csv.columns, *absent])
    numbered = f"SELECT *, row_number() OVER () AS {position} FROM ({rows})"
    return (
        f"SELECT * EXCLUDE ({position}) FROM ({numbered}) "
        f"QUALIFY row_number() OVER (PARTITION BY {key} ORDER BY {position} DESC) = 1 ORDER BY {position}"
    )


def _free_name(columns: list[str]) -> str:
    """A name that none of the columns has."""
    taken = {name.lower() for name in columns}
    return next(name for number in count() if (name := f"position_{number}") not in taken)


def _reader(csv: Csv) -> str:
    fields = ", ".join(f"'{quote_text(name)}': 'VARCHAR'" for name in csv.columns)
    return (
        f"read_csv('{quote_text(csv.path)}', auto_detect = false, columns = {{{fields}}}, "
        "header = true, delim = ',', quote = '\"', escape = '\"', "
        f"max_line_size = {LINE_BYTES}, buffer_size = {2 * LINE_BYTES}, strict_mode = true)"
    )


def _reason(error: duckdb.Error) -> str:
    """What is wrong; without the line itself, which may be long, and advice on options that users do not have."""
    said = str(error).removeprefix("Invalid Input Error: ").partition("\nPossible")[0].splitlines()
    reason = " ".join(line.strip() for line in said if line.strip() and not line.startswith("Original Line"))
    too_long = "Maximum line size" in reason
    return f"A row is longer than {LINE_BYTES:,} bytes." if too_long else reason[:REASON_CHARACTERS]


def _commit(
    lake: Lake, duck: duckdb.DuckDBPyConnection, table: LakeTable, load: Load, parquet: Path, rows: int
) -> None:
    before = set(parquet.parent.iterdir())
    try:
        with lake.commit_lock(table), _transaction(duck):
            _make_way(duck, table, load, parquet)
            added = f"'{table.catalog}', '{table.relation}', '{quote_text(parquet)}', schema => '{SCHEMA}'"
            duck.execute(f"CALL ducklake_add_data_files({added}, allow_missing => true)")
            mark = quote_text(_mark(table, load.id))
            duck.execute(f"CALL {table.catalog}.set_commit_message('penstock', '{rows}', extra_info => '{mark}')")
            _sync_new(parquet.parent, before)
    except BaseException:
        parquet.unlink(missing_ok=True)
        raise


@contextmanager
def _transaction(duck: duckdb.DuckDBPyConnection) -> Generator[None]:
    duck.execute("BEGIN")
    try:
        yield
        duck.execute("COMMIT")
    except BaseException:
        with suppress(duckdb.Error):
            duck.execute("ROLLBACK")
        raise


def _sync_new(folder: Path, before: set[Path]) -> None:
    """What the engine wrote to mark rows as deleted; it does not sync files itself."""
    for path in set(folder.iterdir()) - before:
        durable.sync_path(path)
    durable.sync_path(folder)


def _make_way(duck: duckdb.DuckDBPyConnection, table: LakeTable, load: Load, parquet: Path) -> None:
    """Take out the rows that the new ones replace."""
    if not load.incremental:
        duck.execute(f"DELETE FROM {table.address}")
    elif load.primary_key:
        match = " AND ".join(f"old.{quote_name(name)} = new.{quote_name(name)}" for name in load.primary_key)
        new = f"read_parquet('{quote_text(parquet)}') AS new"
        duck.execute(f"DELETE FROM {table.address} AS old WHERE EXISTS (SELECT 1 FROM {new} WHERE {match})")


def _measure(duck: duckdb.DuckDBPyConnection, table: LakeTable, imported: int) -> Loaded:
    rows = duck.execute(f"SELECT count(*) FROM {table.address}").fetchone()
    files = f"ducklake_list_files('{table.catalog}', '{table.relation}', schema => '{SCHEMA}')"
    size = duck.execute(f"SELECT coalesce(sum(data_file_size_bytes), 0)::BIGINT FROM {files}").fetchone()
    count = rows[0] if rows else 0
    return Loaded(imported_rows=imported, rows_count=count, data_size_bytes=size[0] if size and count else 0)
