"""The tables of apps and their versions."""

from __future__ import annotations

from datetime import datetime

import msgspec
from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Index,
    Integer,
    Table,
    Text,
    delete,
    func,
    insert,
    select,
    update,
)

from penstock.foundation.database import Timestamp, Transaction, metadata
from penstock.services.developer.models.apps import AppRow, VersionRow
from penstock.services.developer.models.vendors import PageQuery

apps = Table(
    "developer_apps",
    metadata,
    Column("id", Text, primary_key=True),
    Column("vendor_id", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("last_version", Integer, nullable=False),
    Column("approved_version", Integer, nullable=False),
    Column("is_public", Boolean, nullable=False),
    Column("is_approved", Boolean, nullable=False),
    Column("is_deprecated", Boolean, nullable=False),
    Column("created", Timestamp, nullable=False),
    Column("created_by", Text, nullable=False),
    Column("expired", Timestamp),
    Column("requested", Timestamp),
    Column("replacement_app", Text),
    Column("requested_by", Text),
    Column("rejection", Text),
    Index("developer_apps_by_vendor", "vendor_id"),
)
versions = Table(
    "developer_versions",
    metadata,
    Column("app_id", Text, primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("tag", Text, nullable=False),
    Column("fields", JSON, nullable=False),
    Column("command", JSON, nullable=False),
    Column("archive_id", BigInteger),
    Column("created", Timestamp, nullable=False),
    Column("created_by", Text, nullable=False),
    Column("approved", Timestamp),
    Column("approved_by", Text),
)


def find_app(tx: Transaction, app_id: str) -> AppRow | None:
    return tx.one(select(apps).where(apps.c.id == app_id), AppRow)


def list_apps(tx: Transaction, page: PageQuery, vendor_id: str | None = None) -> list[AppRow]:
    """List the apps of a vendor; without one, the public ones."""
    which = apps.c.is_public if vendor_id is None else apps.c.vendor_id == vendor_id
    return tx.all(select(apps).where(which).order_by(apps.c.id).offset(page.offset).limit(page.limit), AppRow)


def list_all(tx: Transaction, page: PageQuery, text: str) -> list[AppRow]:
    """List the apps of all vendors; with a text, those that have it in their id."""
    query = select(apps).order_by(apps.c.id).offset(page.offset).limit(page.limit)
    return tx.all(query.where(apps.c.id.contains(text.lower(), autoescape=True)) if text else query, AppRow)


def list_approved(tx: Transaction) -> list[AppRow]:
    return tx.all(select(apps).where(apps.c.is_approved).order_by(apps.c.id), AppRow)


def apps_version(tx: Transaction) -> str:
    """Changes whenever list_approved() does, or the current or approved version of one of them."""
    sums = (
        func.count(),
        func.sum(apps.c.version),
        func.sum(apps.c.last_version),
        func.sum(apps.c.approved_version),
        func.max(apps.c.created, type_=Timestamp),
    )
    return " ".join(map(str, tx.connection.execute(select(*sums).where(apps.c.is_approved)).one()))


def list_requested(tx: Transaction, page: PageQuery) -> list[AppRow]:
    """List the apps that wait for an administrator, the oldest request first."""
    query = select(apps).where(apps.c.requested.is_not(None)).order_by(apps.c.requested, apps.c.id)
    return tx.all(query.offset(page.offset).limit(page.limit), AppRow)


def add_app(tx: Transaction, row: AppRow) -> None:
    tx.change(insert(apps).values(msgspec.structs.asdict(row)))


def change_app(tx: Transaction, row: AppRow) -> None:
    tx.change(update(apps).where(apps.c.id == row.id).values(msgspec.structs.asdict(row)))


def remove_app(tx: Transaction, app_id: str) -> None:
    """Remove an app with its versions."""
    tx.change(delete(versions).where(versions.c.app_id == app_id))
    tx.change(delete(apps).where(apps.c.id == app_id))


def find_version(tx: Transaction, app_id: str, version: int) -> VersionRow | None:
    return tx.one(select(versions).where(versions.c.app_id == app_id, versions.c.version == version), VersionRow)


def find_tagged(tx: Transaction, app_id: str, tag: str, *, only_approved: bool = False) -> VersionRow | None:
    """The newest version with a tag."""
    query = select(versions).where(versions.c.app_id == app_id, versions.c.tag == tag)
    query = query.where(versions.c.approved.is_not(None)) if only_approved else query
    return tx.one(query.order_by(versions.c.version.desc()).limit(1), VersionRow)


def list_current(tx: Transaction, app_ids: list[str], *, only_approved: bool = False) -> dict[str, VersionRow]:
    """The current version of each, or the one that is approved."""
    shown = apps.c.approved_version if only_approved else apps.c.version
    query = select(versions).join(apps, (apps.c.id == versions.c.app_id) & (shown == versions.c.version))
    return {row.app_id: row for row in tx.all(query.where(versions.c.app_id.in_(app_ids)), VersionRow)}


def list_versions(tx: Transaction, app_id: str, page: PageQuery) -> list[VersionRow]:
    """The newest first."""
    query = select(versions).where(versions.c.app_id == app_id).order_by(versions.c.version.desc())
    return tx.all(query.offset(page.offset).limit(page.limit), VersionRow)


def list_tags(tx: Transaction, app_id: str, limit: int, *, only_approved: bool = False) -> list[str]:
    """The newest first."""
    query = select(versions.c.tag).where(versions.c.app_id == app_id, versions.c.tag != "")
    query = query.where(versions.c.approved.is_not(None)) if only_approved else query
    newest = query.order_by(versions.c.version.desc()).limit(10 * limit)
    return list(dict.fromkeys(str(tag) for tag in tx.connection.execute(newest).scalars()))[:limit]


def add_version(tx: Transaction, row: VersionRow) -> None:
    tx.change(insert(versions).values(msgspec.structs.asdict(row)))


def change_approval(tx: Transaction, app_id: str, version: int, approved: datetime | None, by: str | None) -> None:
    same = (versions.c.app_id == app_id) & (versions.c.version == version)
    tx.change(update(versions).where(same).values(approved=approved, approved_by=by))


def withdraw_all(tx: Transaction, app_id: str) -> None:
    """The approval of every version of an app."""
    tx.change(update(versions).where(versions.c.app_id == app_id).values(approved=None, approved_by=None))


def find_last_approved(tx: Transaction, app_id: str) -> int:
    """The number of the version; 0 if none is approved."""
    query = select(func.max(versions.c.version)).where(versions.c.app_id == app_id, versions.c.approved.is_not(None))
    return int(tx.connection.scalar(query) or 0)


def remove_version(tx: Transaction, app_id: str, version: int) -> None:
    tx.change(delete(versions).where(versions.c.app_id == app_id, versions.c.version == version))
