"""Branches: so far each project has its Main."""

from __future__ import annotations

from datetime import datetime

import msgspec
from sqlalchemy import BigInteger, Boolean, Column, Table, Text, insert, select

from penstock.foundation.database import Moment, Transaction, metadata

branches = Table(
    "storage_branches",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("project_id", BigInteger, nullable=False, index=True),
    Column("name", Text, nullable=False),
    Column("is_default", Boolean, nullable=False),
    Column("created", Moment, nullable=False),
)


class Branch(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    project_id: int
    name: str
    is_default: bool
    created: datetime


def add_branch(tx: Transaction, branch: Branch) -> None:
    tx.change(insert(branches).values(msgspec.structs.asdict(branch)))


def find_main_branch(tx: Transaction, project_id: int) -> Branch | None:
    question = select(branches).where(branches.c.project_id == project_id, branches.c.is_default)
    return tx.one(question, into=Branch)
