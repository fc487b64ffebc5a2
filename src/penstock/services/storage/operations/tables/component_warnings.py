"""What a load of a component did to rows that its writer may not expect, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.contracts.tables import TableLoad
from penstock.foundation.lake import Loaded
from penstock.foundation.text import repeated_keys
from penstock.services.storage.models.tables import TableRow


def find_warnings(load: TableLoad, existing: TableRow | None, row: TableRow, loaded: Loaded) -> Iterator[str]:
    """`existing` is the table before the load, `row` after it."""
    if existing and load.primary_key and not existing.primary_key:
        yield _ignored_key(load, row, loaded)
    elif existing and load.incremental and not row.primary_key:
        yield from _only_grows(load, existing, row, loaded)
    if row.types is None and load.schema and load.may_widen:
        yield _ignored_types(row)
    rows = loaded.imported_rows + loaded.repeated_keys
    if not load.incremental and repeated_keys.are_many(loaded.repeated_keys, rows):
        kept, why = loaded.imported_rows, repeated_keys.explain(row.primary_key)
        yield f"{rows:,} rows for the table {row.id} became {kept:,}, {why}"


def _ignored_key(load: TableLoad, row: TableRow, loaded: Loaded) -> str:
    names = repeated_keys.show_names(load.primary_key)
    return (
        f"The table {row.id} exists without a primary key, so the key {names} of this load had no "
        f"effect: all {loaded.imported_rows:,} rows of the file were kept. Set the primary key of the table in "
        "Storage, or delete the table and run the job again."
    )


def _ignored_types(row: TableRow) -> str:
    return (
        f"The table {row.id} exists without types, so the types of this load had no effect: its values were stored as "
        "texts. Delete the table and run the job again to get a typed one."
    )


def _only_grows(load: TableLoad, existing: TableRow, row: TableRow, loaded: Loaded) -> Iterator[str]:
    if load.deduplication == "insert" or not existing.rows_count or not loaded.imported_rows:
        return
    yield (
        f"The table {row.id} has no primary key, so this incremental load added {loaded.imported_rows:,} rows to the "
        f"{existing.rows_count:,} that were there, also those that it had already. Set a primary key to update rows; "
        'if every row is new, set `"deduplication_strategy": "insert"` in the output mapping.'
    )
