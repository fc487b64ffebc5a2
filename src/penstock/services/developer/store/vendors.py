"""The table of vendors."""

from __future__ import annotations

import msgspec
from sqlalchemy import JSON, Boolean, Column, Table, Text, insert, select, update

from penstock.foundation.database import Timestamp, Transaction, metadata
from penstock.services.developer.models.vendors import PageQuery, VendorRow

vendors = Table(
    "developer_vendors",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("address", Text, nullable=False),
    Column("email", Text, nullable=False),
    Column("is_public", Boolean, nullable=False),
    Column("is_approved", Boolean, nullable=False),
    Column("approval", Text, nullable=False),
    Column("projects", JSON, nullable=False),
    Column("created", Timestamp, nullable=False),
    Column("created_by", Text, nullable=False),
)


def find_vendor(tx: Transaction, vendor_id: str) -> VendorRow | None:
    return tx.one(select(vendors).where(vendors.c.id == vendor_id), VendorRow)


def list_vendors(tx: Transaction, page: PageQuery, *, is_public: bool) -> list[VendorRow]:
    """All of them, or those that everybody sees."""
    query = select(vendors).order_by(vendors.c.id).offset(page.offset).limit(page.limit)
    return tx.all(query.where(vendors.c.is_public) if is_public else query, VendorRow)


def add_vendor(tx: Transaction, row: VendorRow) -> None:
    tx.change(insert(vendors).values(msgspec.structs.asdict(row)))


def change_vendor(tx: Transaction, row: VendorRow) -> None:
    tx.change(update(vendors).where(vendors.c.id == row.id).values(msgspec.structs.asdict(row)))
