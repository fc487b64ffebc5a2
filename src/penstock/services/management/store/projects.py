"""Projects."""

from __future__ import annotations

from collections.abc import Collection

import msgspec
from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Index,
    Integer,
    Table,
    Text,
    bindparam,
    exists,
    false,
    func,
    insert,
    or_,
    select,
    update,
)

from penstock.foundation import ids
from penstock.foundation.callers import CALLERS
from penstock.foundation.database import Timestamp, Transaction, metadata
from penstock.foundation.jobs import claim_statements
from penstock.services.management.models.projects import FIRST_ORGANIZATION, Project

projects = Table(
    "management_projects",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("name", Text, nullable=False),
    Column("created", Timestamp, nullable=False),
    Column("features", JSON, nullable=False),
    Column("organization_id", BigInteger, nullable=False, server_default=str(FIRST_ORGANIZATION)),
    Column("type", Text, nullable=False, server_default="production"),
    Column("default_backend", Text, nullable=False, server_default="snowflake"),
    Column("data_retention_days", Integer, nullable=False, server_default="7"),
    Column("has_try_mode", Boolean, nullable=False, server_default=false()),
    Column("limits", JSON, nullable=False, server_default="{}"),
    Column("is_disabled", Boolean, nullable=False, server_default=false()),
    Column("timezone", Text),
    Column("disable_reason", Text),
    Column("billed_monthly_price", Text),
    *(Column(name, Timestamp) for name in ("expires", "enabled_again", "deleted", "purged")),
    Index("management_projects_of", "organization_id", "id"),
)

IS_CLOSED = or_(
    projects.c.is_disabled,
    projects.c.deleted.is_not(None),
    func.coalesce(projects.c.expires <= claim_statements.NOW, false()),
)
"""Whether a project cannot be used, as ProjectState says it."""
CLAIMED = claim_statements.Projects(projects.c.id, IS_CLOSED, projects.c.limits)
"""For tables of jobs: those of a project that cannot be used wait."""
_COUNT = select(func.count()).select_from(projects).where(projects.c.deleted.is_(None))
_FIND = select(projects).where(projects.c.id == bindparam("project_id"))


def add_project(tx: Transaction, project: Project) -> None:
    tx.change(insert(projects).values(msgspec.structs.asdict(project)))


def change_project(tx: Transaction, project: Project) -> None:
    """What its tokens may do depends on it, so every process reads them again."""
    tx.change(update(projects).where(projects.c.id == project.id).values(msgspec.structs.asdict(project)))
    ids.count_change(tx, CALLERS)


def find_project(tx: Transaction, project_id: int) -> Project | None:
    """Also one that was deleted."""
    return tx.one(_FIND, Project, project_id=project_id)


def find_first_project(tx: Transaction) -> Project | None:
    return tx.one(select(projects).where(projects.c.deleted.is_(None)).order_by(projects.c.id).limit(1), into=Project)


def list_projects(tx: Transaction, organization_id: int | None = None) -> list[Project]:
    """List projects that are not deleted, of one organization or of all."""
    query = select(projects).where(projects.c.deleted.is_(None)).order_by(projects.c.id)
    return tx.all(
        query if organization_id is None else query.where(projects.c.organization_id == organization_id), Project
    )


def list_by_ids(tx: Transaction, project_ids: Collection[int]) -> list[Project]:
    """List those projects that are not deleted."""
    mine = (projects.c.id.in_(list(project_ids)), projects.c.deleted.is_(None))
    return tx.all(select(projects).where(*mine).order_by(projects.c.id), into=Project)


def list_deleted(tx: Transaction, organization_id: int | None) -> list[Project]:
    """The last deleted first, of one organization or of all."""
    query = select(projects).where(projects.c.deleted.is_not(None)).order_by(projects.c.deleted.desc(), projects.c.id)
    mine = query if organization_id is None else query.where(projects.c.organization_id == organization_id)
    return tx.all(mine, into=Project)


def has_project_in(tx: Transaction, organization_id: int) -> bool:
    """Also a deleted one, which can be restored."""
    return tx.value(select(projects.c.id).where(projects.c.organization_id == organization_id).limit(1)) is not None


def list_ids_beside(tx: Transaction, project_id: int, project_ids: Collection[int]) -> set[int]:
    """Return those of the ids that are projects in the organization of this one."""
    own = projects.alias("own")
    beside = (own.c.id == project_id, own.c.organization_id == projects.c.organization_id)
    wanted = (projects.c.id.in_(set(project_ids)), projects.c.deleted.is_(None))
    return set(tx.connection.scalars(select(projects.c.id).where(*wanted, exists().where(*beside))))


def count_projects(tx: Transaction) -> int:
    return int(tx.value(_COUNT))


def is_closed(project_id: ColumnElement[int]) -> ColumnElement[bool]:
    """A condition of rows of other tables: their project cannot be used. It has the parameter `now`."""
    return exists().where(projects.c.id == project_id, IS_CLOSED)
