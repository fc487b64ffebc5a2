"""What loads are about to add: the size that a table will have when a load that has passed its check is recorded.

A reservation is removed by the transaction that records the table, or when the load fails. That of a load that was
killed expires.
"""

from __future__ import annotations

from datetime import datetime, timedelta

import msgspec
from sqlalchemy import BigInteger, Column, Table, Text, delete, insert, select

from penstock.foundation import clock
from penstock.foundation.database import Timestamp, Transaction, metadata

LIFETIME = timedelta(minutes=5)
"""Between the last check of a load and its record are a commit and a transaction; rows are copied before it."""

reservations = Table(
    "storage_reservations",
    metadata,
    Column("project_id", BigInteger, primary_key=True),
    Column("branch_id", BigInteger, primary_key=True),
    Column("bucket_id", Text, primary_key=True),
    Column("name", Text, primary_key=True),
    Column("rows_count", BigInteger, nullable=False),
    Column("data_size_bytes", BigInteger, nullable=False),
    Column("expires", Timestamp, nullable=False),
)


class TablePlace(msgspec.Struct, frozen=True):
    """Of a table that may not be there yet."""

    project_id: int
    branch_id: int
    bucket_id: str
    name: str


class Reservation(msgspec.Struct, frozen=True, kw_only=True):
    project_id: int
    branch_id: int
    bucket_id: str
    name: str
    rows_count: int
    data_size_bytes: int
    expires: datetime

    @property
    def place(self) -> TablePlace:
        return TablePlace(self.project_id, self.branch_id, self.bucket_id, self.name)


def list_reservations(tx: Transaction, project_id: int) -> list[Reservation]:
    """List reservations that have not expired."""
    query = select(reservations).where(reservations.c.project_id == project_id, reservations.c.expires > clock.now())
    return tx.all(query, into=Reservation)


def reserve(tx: Transaction, place: TablePlace, rows: int, size: int) -> None:
    release(tx, place)
    known = {**msgspec.structs.asdict(place), "rows_count": rows, "data_size_bytes": size}
    tx.change(insert(reservations).values(**known, expires=clock.now() + LIFETIME))


def release(tx: Transaction, place: TablePlace) -> None:
    same = [reservations.c[name] == value for name, value in msgspec.structs.asdict(place).items()]
    tx.change(delete(reservations).where(*same))
