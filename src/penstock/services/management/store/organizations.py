"""Organizations, which projects belong to."""

from __future__ import annotations

from collections.abc import Collection

import msgspec
from sqlalchemy import BigInteger, Boolean, Column, Index, Table, Text, bindparam, delete, insert, select, update

from penstock.foundation.database import Timestamp, Transaction, metadata
from penstock.services.management.models.groups import Organization

organizations = Table(
    "management_organizations",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("maintainer_id", BigInteger, nullable=False),
    Column("name", Text, nullable=False),
    Column("created", Timestamp, nullable=False),
    Column("allow_auto_join", Boolean, nullable=False),
    Column("mfa_required", Boolean, nullable=False),
    Column("crm_id", Text),
    Column("activity_center_project_id", BigInteger),
    Index("management_organizations_of", "maintainer_id", "id"),
)

_FIND = select(organizations).where(organizations.c.id == bindparam("organization_id"))


def add_organization(tx: Transaction, row: Organization) -> None:
    tx.change(insert(organizations).values(msgspec.structs.asdict(row)))


def change_organization(tx: Transaction, row: Organization) -> None:
    tx.change(update(organizations).where(organizations.c.id == row.id).values(msgspec.structs.asdict(row)))


def find_organization(tx: Transaction, organization_id: int) -> Organization | None:
    return tx.one(_FIND, Organization, organization_id=organization_id)


def list_organizations(tx: Transaction, maintainer_id: int | None = None) -> list[Organization]:
    """List the organizations of one maintainer, or all."""
    query = select(organizations).order_by(organizations.c.id)
    mine = query if maintainer_id is None else query.where(organizations.c.maintainer_id == maintainer_id)
    return tx.all(mine, into=Organization)


def list_by_ids(tx: Transaction, organization_ids: Collection[int]) -> dict[int, Organization]:
    query = select(organizations).where(organizations.c.id.in_(list(organization_ids)))
    return {row.id: row for row in tx.all(query, into=Organization)}


def remove_organization(tx: Transaction, organization_id: int) -> None:
    tx.change(delete(organizations).where(organizations.c.id == organization_id))
