"""Tables: what is known of them; their rows are in the lake."""

from __future__ import annotations

import msgspec
from sqlalchemy import JSON, BigInteger, Column, Table, Text, delete, insert, select

from penstock.foundation.database import Moment, Transaction, metadata
from penstock.services.storage.models.tables import TableRow

tables = Table(
    "storage_tables",
    metadata,
    Column("project_id", BigInteger, primary_key=True),
    Column("branch_id", BigInteger, primary_key=True),
    Column("bucket_id", Text, primary_key=True),
    Column("name", Text, primary_key=True),
    Column("display_name", Text, nullable=False),
    Column("columns", JSON, nullable=False),
    Column("primary_key", JSON, nullable=False),
    Column("rows_count", BigInteger, nullable=False),
    Column("data_size_bytes", BigInteger, nullable=False),
    Column("created", Moment, nullable=False),
    Column("imported", Moment, nullable=False),
)


def put_table(tx: Transaction, row: TableRow) -> None:
    """Add the table, or replace what is known of it."""
    tx.change(
        delete(tables).where(
            tables.c.project_id == row.project_id,
            tables.c.branch_id == row.branch_id,
            tables.c.bucket_id == row.bucket_id,
            tables.c.name == row.name,
        )
    )
    tx.change(insert(tables).values(msgspec.structs.asdict(row)))


def find_table(tx: Transaction, project_id: int, branch_id: int, bucket_id: str, name: str) -> TableRow | None:
    question = select(tables).where(
        tables.c.project_id == project_id,
        tables.c.branch_id == branch_id,
        tables.c.bucket_id == bucket_id,
        tables.c.name == name,
    )
    return tx.one(question, into=TableRow)


def list_tables(tx: Transaction, project_id: int, branch_id: int, bucket_id: str | None = None) -> list[TableRow]:
    question = select(tables).where(tables.c.project_id == project_id, tables.c.branch_id == branch_id)
    if bucket_id:
        question = question.where(tables.c.bucket_id == bucket_id)
    return tx.all(question.order_by(tables.c.bucket_id, tables.c.name), into=TableRow)
