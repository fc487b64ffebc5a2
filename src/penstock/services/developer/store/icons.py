"""The table of icons. They are small, and the same for all versions that have them."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Column, LargeBinary, Table, Text, insert, select

from penstock.foundation.database import Timestamp, Transaction, metadata

icons = Table(
    "developer_icons",
    metadata,
    Column("sha256", Text, primary_key=True),
    Column("content", LargeBinary, nullable=False),
    Column("created", Timestamp, nullable=False),
)


def find_icon(tx: Transaction, sha256: str) -> bytes | None:
    content = tx.connection.scalar(select(icons.c.content).where(icons.c.sha256 == sha256))
    return bytes(content) if content is not None else None


def add_icon(tx: Transaction, sha256: str, content: bytes, now: datetime) -> None:
    tx.change(insert(icons).values(sha256=sha256, content=content, created=now))
