"""What other services may ask of Management."""

from __future__ import annotations

from datetime import datetime

import msgspec
from sqlalchemy import BigInteger, Column, Table, Text, bindparam, insert, select

from penstock.foundation import clock, ids
from penstock.foundation.database import Moment, Transaction, metadata
from penstock.foundation.errors import NotFound

projects = Table(
    "management_projects",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("name", Text, nullable=False),
    Column("created", Moment, nullable=False),
)


_FIND = select(projects).where(projects.c.id == bindparam("project_id"))


class Project(msgspec.Struct, frozen=True):
    id: int
    name: str
    created: datetime


def create_project(tx: Transaction, name: str) -> Project:
    project = Project(id=ids.new_id(tx), name=name, created=clock.now())
    tx.change(insert(projects).values(msgspec.structs.asdict(project)))
    return project


def find_project(tx: Transaction, project_id: int) -> Project | None:
    return tx.one(_FIND, Project, project_id=project_id)


def get_project(tx: Transaction, project_id: int) -> Project:
    project = find_project(tx, project_id)
    if not project:
        raise NotFound(f"Project {project_id} not found")
    return project


def find_first_project(tx: Transaction) -> Project | None:
    return tx.one(select(projects).order_by(projects.c.id).limit(1), into=Project)
