"""Branches: each project has Main, and those that users create."""

from __future__ import annotations

import msgspec
from sqlalchemy import BigInteger, Boolean, Column, Table, Text, delete, insert, select, update

from penstock.foundation.database import Timestamp, Transaction, metadata
from penstock.services.storage.models.branches import Branch
from penstock.services.storage.store.files import files

branches = Table(
    "storage_branches",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("project_id", BigInteger, nullable=False, index=True),
    Column("name", Text, nullable=False),
    Column("is_default", Boolean, nullable=False),
    Column("created", Timestamp, nullable=False),
    Column("description", Text, nullable=False),
    Column("creator_id", BigInteger),
    Column("creator_name", Text),
)


def add_branch(tx: Transaction, branch: Branch) -> None:
    tx.change(insert(branches).values(msgspec.structs.asdict(branch)))


def find_branch(tx: Transaction, project_id: int, branch_id: int) -> Branch | None:
    statement = select(branches).where(branches.c.project_id == project_id, branches.c.id == branch_id)
    return tx.one(statement, into=Branch)


def find_branch_by_name(tx: Transaction, project_id: int, name: str) -> Branch | None:
    statement = select(branches).where(branches.c.project_id == project_id, branches.c.name == name)
    return tx.one(statement, into=Branch)


def list_branches(tx: Transaction, project_id: int) -> list[Branch]:
    """List the branches that users created, in their order; Main last."""
    statement = select(branches).where(branches.c.project_id == project_id)
    return tx.all(statement.order_by(branches.c.is_default, branches.c.id), into=Branch)


def put_branch(tx: Transaction, branch: Branch) -> None:
    mine = (branches.c.project_id == branch.project_id) & (branches.c.id == branch.id)
    tx.change(update(branches).where(mine).values(msgspec.structs.asdict(branch)))


def remove_branch(tx: Transaction, project_id: int, branch_id: int) -> None:
    tx.change(delete(branches).where(branches.c.project_id == project_id, branches.c.id == branch_id))


def list_file_ids(tx: Transaction, project_id: int, branch_id: int) -> list[int]:
    """The ids of files that were uploaded in a branch."""
    statement = select(files.c.id).where(files.c.project_id == project_id, files.c.branch_id == branch_id)
    return list(tx.connection.execute(statement).scalars())
