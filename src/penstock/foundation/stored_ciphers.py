"""Wraps every cipher in the database with the newest root key, while the stack runs.

All tables are searched, whichever service they belong to: a cipher is recognized by its text, and by the key that it is
wrapped with. The audit log is left out: it holds no ciphers, and the database refuses to change it. A batch is read
without holding anybody up, and only rows with something to change are written, each batch in a short transaction.
Running it again continues where it was stopped, since ciphers that are wrapped already stay as they are.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
from sqlalchemy import JSON, Column, LargeBinary, Row, String, Table, and_, literal, select, tuple_, update

from penstock.foundation.audit.store import audit
from penstock.foundation.database import Database, Transaction, metadata
from penstock.foundation.secrets import KeyRing
from penstock.foundation.secrets.rewrapping import find_root_keys, rewrap

BATCH, BATCH_BYTES = 100, 16_000_000
"""A batch ends with the row that reaches either."""
FETCHED = 5
"""Rows that the database sends at a time: one may have several documents of 4 MB."""
PASSES = 5
"""At most: whoever stores ciphers of an older key again and again does not keep a rotation from ending."""
SETTLING_SECONDS = 1.0
"""Before all tables are searched once more: a transaction that began before the rotation may end after it."""

Key = tuple[Any, ...]


def rewrap_database(database: Database, ring: KeyRing) -> int:
    """The number of rows that were changed. What is stored later is wrapped with the newest key as it comes in;
    count_rows() finds what is left."""
    total = 0
    for _ in range(PASSES):
        changed = sum(_rewrap_table(database, ring, table) for table in list_tables())
        if not changed:
            break
        total += changed
        time.sleep(SETTLING_SECONDS)
    return total


def count_rows(database: Database, ring: KeyRing) -> Counter[bytes]:
    """How many rows need each root key, by its id; `UNMARKED` counts those with text that may be a cipher without a
    mark."""
    needed: Counter[bytes] = Counter()
    for table in list_tables():
        width = len(table.primary_key.columns)
        for rows in _read_table(database, table):
            for row in rows:
                needed.update(set[bytes]().union(*(find_root_keys(ring, value) for value in row[width:])))
    return needed


def list_tables() -> list[Table]:
    """Return the tables with a column that may hold ciphers."""
    return [table for table in metadata.sorted_tables if table is not audit and _columns(table)]


def _columns(table: Table) -> list[Column[Any]]:
    kinds = (String, LargeBinary, JSON)
    return [column for column in table.columns if isinstance(column.type, kinds) and not column.primary_key]


def _rewrap_table(database: Database, ring: KeyRing, table: Table) -> int:
    changed = 0
    for keys in _find_old(database, ring, table):
        with database.writing() as tx:
            changed += sum(_rewrap_row(tx, ring, table, key) for key in keys)
    return changed


def _find_old(database: Database, ring: KeyRing, table: Table) -> Iterator[list[Key]]:
    """The keys of rows that have something to change, batch by batch."""
    width = len(table.primary_key.columns)
    for rows in _read_table(database, table):
        found = [tuple(row[:width]) for row in rows if any(rewrap(ring, value) is not value for value in row[width:])]
        if found:
            yield found


def _read_table(database: Database, table: Table) -> Iterator[list[Row[Any]]]:
    """Yield its rows, batch by batch: first the columns of the key, then those that may hold ciphers."""
    width, last = len(table.primary_key.columns), None
    while True:
        with database.reading() as tx:
            rows = _read_batch(tx, table, last)
        if not rows:
            return
        last = tuple(rows[-1][:width])
        yield rows


def _read_batch(tx: Transaction, table: Table, last: Key | None) -> list[Row[Any]]:
    keys = list(table.primary_key.columns)
    query = select(*keys, *_columns(table)).order_by(*keys).limit(BATCH)
    if last is not None:
        after = tuple_(*(literal(value, key.type) for key, value in zip(keys, last, strict=True)))
        query = query.where(tuple_(*keys) > after)
    batch: list[Row[Any]] = []
    size = 0
    with tx.connection.execute(query.execution_options(yield_per=FETCHED)) as found:
        for row in found:
            batch.append(row)
            size += sum(map(_size, row))
            if size >= BATCH_BYTES:
                break
    return batch


def _size(value: Any) -> int:
    if isinstance(value, dict | list):
        return len(msgspec.json.encode(value))
    return len(value) if isinstance(value, str | bytes) else 0


def _rewrap_row(tx: Transaction, ring: KeyRing, table: Table, key: Key) -> bool:
    """Rewrap the row as it is now: it may have changed since it was found."""
    same = and_(*(column == value for column, value in zip(table.primary_key.columns, key, strict=True)))
    columns = _columns(table)
    row = tx.connection.execute(select(*columns).where(same).with_for_update()).one_or_none()
    values = dict(zip(columns, row, strict=True)) if row else {}
    changes = {column.name: new for column, old in values.items() if (new := rewrap(ring, old)) is not old}
    if changes:
        tx.change(update(table).where(same).values(changes))
    return bool(changes)
