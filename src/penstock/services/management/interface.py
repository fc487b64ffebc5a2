"""What other services may call in Management."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

import msgspec
from sqlalchemy import JSON, BigInteger, Column, Table, Text, bindparam, func, insert, select, update

from penstock.foundation import audit, clock, ids
from penstock.foundation.callers import CALLERS
from penstock.foundation.database import Moment, Transaction, metadata
from penstock.foundation.errors import Invalid, NotFound
from penstock.services.management.manage_tokens import (
    ManageToken,
    authenticate_manager,
    create_manage_token,
    list_manage_tokens,
    revoke_manage_token,
)

__all__ = [
    "FEATURES",
    "NATIVE_TYPES",
    "STORAGE_BRANCHES",
    "ManageToken",
    "Project",
    "authenticate_manager",
    "count_projects",
    "create_manage_token",
    "create_project",
    "find_first_project",
    "find_project",
    "get_project",
    "list_existing_ids",
    "list_manage_tokens",
    "list_projects",
    "projects",
    "revoke_manage_token",
    "set_feature",
]

STORAGE_BRANCHES = "storage-branches"
NATIVE_TYPES = "native-types"
FEATURES = (STORAGE_BRANCHES, NATIVE_TYPES)
"""The features that can be enabled for a project."""
ALWAYS_ON = ("queuev2",)
"""Jobs run on the newer kind of queue, the only one here."""

projects = Table(
    "management_projects",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("name", Text, nullable=False),
    Column("created", Moment, nullable=False),
    Column("features", JSON, nullable=False),
)


_COUNT = select(func.count()).select_from(projects)
_FIND = select(projects).where(projects.c.id == bindparam("project_id"))


class Project(msgspec.Struct, frozen=True):
    id: int
    name: str
    created: datetime
    features: list[str] = []
    """The enabled ones of FEATURES."""

    @property
    def active_features(self) -> tuple[str, ...]:
        """The features that clients and components see."""
        return (*ALWAYS_ON, *self.features)


class UnknownFeature(Invalid):
    def __init__(self, feature: str) -> None:
        super().__init__(f'"{feature}" is not a feature of projects. Use one of: {", ".join(FEATURES)}.')


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


def list_projects(tx: Transaction) -> list[Project]:
    return tx.all(select(projects).order_by(projects.c.id), into=Project)


def list_existing_ids(tx: Transaction, project_ids: Collection[int]) -> set[int]:
    """Those of the ids that are projects."""
    return set(tx.connection.scalars(select(projects.c.id).where(projects.c.id.in_(set(project_ids)))))


def count_projects(tx: Transaction) -> int:
    return int(tx.value(_COUNT))


def set_feature(tx: Transaction, project_id: int, feature: str, *, is_on: bool) -> Project:
    """Enable or disable a feature of a project; effective for requests after the commit."""
    if feature not in FEATURES:
        raise UnknownFeature(feature)
    project = get_project(tx, project_id)
    others = [each for each in project.features if each != feature]
    changed = msgspec.structs.replace(project, features=[*others, feature] if is_on else others)
    tx.change(update(projects).where(projects.c.id == project_id).values(features=changed.features))
    event = "feature.enabled" if is_on else "feature.disabled"
    audit.record(tx, audit.NewEntry(event=event, project_id=project_id, target=f"feature {feature}"))
    ids.count_change(tx, CALLERS)  # a caller's access depends on the features of its project
    return changed
