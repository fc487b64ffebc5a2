"""Buckets."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

import msgspec
from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    ColumnElement,
    ScalarSelect,
    Select,
    Table,
    Text,
    and_,
    bindparam,
    cast,
    delete,
    exists,
    func,
    insert,
    literal,
    select,
    update,
)

from penstock.foundation.database import Timestamp, Transaction, metadata
from penstock.services.management.interface import projects
from penstock.services.storage.models.buckets import BucketRow
from penstock.services.storage.store.branches import branches
from penstock.services.storage.store.tables import tables

buckets = Table(
    "storage_buckets",
    metadata,
    Column("project_id", BigInteger, primary_key=True),
    Column("branch_id", BigInteger, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("number", BigInteger, nullable=False, unique=True),
    Column("stage", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("display_name", Text, nullable=False),
    Column("description", Text, nullable=False),
    Column("created", Timestamp, nullable=False),
    Column("changed", Timestamp),
    Column("color", Text),
    Column("sharing", Text),
    Column("shared_with", JSON, nullable=False),
    Column("source_project_id", BigInteger),
    Column("source_bucket_id", Text),
)

_INSIDE = (("project_id", "project_id"), ("branch_id", "branch_id"), ("bucket_id", "id"))
"""Which columns of a table are those of its bucket."""
_DERIVED = ("rows_count", "data_size_bytes")


def _all_with_sums() -> Select[tuple[object, ...]]:
    """Size and rows of a bucket are sums over its tables; they are not stored separately."""
    inside = (tables.c.project_id == buckets.c.project_id) & (tables.c.branch_id == buckets.c.branch_id)
    inside &= tables.c.bucket_id == buckets.c.id
    return select(*buckets.c, *(_sum(name, inside).label(name) for name in _DERIVED))


def _sum(name: str, inside: ColumnElement[bool]) -> ScalarSelect[int]:
    # A cast, because PostgreSQL sums integers to decimals.
    return select(cast(func.coalesce(func.sum(tables.c[name]), 0), BigInteger)).where(inside).scalar_subquery()


_FIND = _all_with_sums().where(
    buckets.c.project_id == bindparam("project_id"),
    buckets.c.branch_id == bindparam("branch_id"),
    buckets.c.id == bindparam("bucket_id"),
)


def add_bucket(tx: Transaction, row: BucketRow) -> None:
    values = {name: value for name, value in msgspec.structs.asdict(row).items() if name not in _DERIVED}
    tx.change(insert(buckets).values(values))


def find_bucket(tx: Transaction, project_id: int, branch_id: int, bucket_id: str) -> BucketRow | None:
    return tx.one(_FIND, into=BucketRow, project_id=project_id, branch_id=branch_id, bucket_id=bucket_id)


def list_buckets(tx: Transaction, project_id: int, branch_id: int) -> list[BucketRow]:
    return tx.all(_with_sums(project_id, branch_id).order_by(buckets.c.id), into=BucketRow)


def list_bucket_ids(tx: Transaction, project_id: int, branch_ids: Collection[int]) -> set[str]:
    """List the buckets of some branches of a project."""
    statement = select(buckets.c.id).where(buckets.c.project_id == project_id, buckets.c.branch_id.in_(branch_ids))
    return set(tx.connection.execute(statement).scalars())


def list_all_buckets(tx: Transaction, project_id: int) -> list[BucketRow]:
    """List the buckets of all branches of a project."""
    return tx.all(_all_with_sums().where(buckets.c.project_id == project_id), into=BucketRow)


def measure_project(tx: Transaction, project_id: int) -> tuple[int, int]:
    """Rows and bytes of all tables of a project in all branches, without linked buckets."""
    own = [row for row in list_all_buckets(tx, project_id) if not row.is_linked]
    return sum(row.rows_count for row in own), sum(row.data_size_bytes for row in own)


def measure_projects(tx: Transaction, project_ids: Collection[int]) -> list[tuple[int, int, int, int]]:
    """Return for each project its id, its buckets in all branches without linked ones, their rows and their bytes."""
    same = [getattr(tables.c, ours) == getattr(buckets.c, name) for ours, name in _INSIDE]
    count, sums = func.count(buckets.c.number.distinct()), [tables.c.rows_count, tables.c.data_size_bytes]
    rows, size = (func.coalesce(func.sum(each), 0) for each in sums)
    query = select(buckets.c.project_id, count, rows, size)
    own = (buckets.c.project_id.in_(list(project_ids)), buckets.c.source_bucket_id.is_(None))
    found = tx.connection.execute(query.outerjoin(tables, and_(*same)).where(*own).group_by(buckets.c.project_id))
    return [(int(each[0]), int(each[1]), int(each[2]), int(each[3])) for each in found]


def is_in_main(tx: Transaction, row: BucketRow) -> bool:
    """Whether the bucket is, or was, in the default branch."""
    return bool(tx.value(select(_is_in_main(literal(row.branch_id, BigInteger)))))


def has_id(tx: Transaction, project_id: int, bucket_id: str) -> bool:
    """Whether any branch of the project has a bucket of this id."""
    query = select(buckets.c.number).where(buckets.c.project_id == project_id, buckets.c.id == bucket_id)
    return tx.value(query.limit(1)) is not None


def find_same_name(tx: Transaction, row: BucketRow) -> BucketRow | None:
    """A bucket of the same stage and display name, regardless of case."""
    query = _with_sums(row.project_id, row.branch_id).where(
        buckets.c.stage == row.stage,
        buckets.c.id != row.id,
        func.lower(buckets.c.display_name) == row.display_name.lower(),
    )
    return tx.one(query.limit(1), into=BucketRow)


def list_linked(tx: Transaction, project_id: int, branch_id: int) -> list[BucketRow]:
    """Linked buckets of a project."""
    query = _with_sums(project_id, branch_id).where(buckets.c.source_bucket_id.is_not(None))
    return tx.all(query.order_by(buckets.c.id), into=BucketRow)


def list_changed_numbers(tx: Transaction, since: datetime) -> list[int]:
    """The numbers of buckets of all projects whose tables have changed: for the maintenance of the lake."""
    query = select(buckets.c.number).where(buckets.c.changed >= since).order_by(buckets.c.number)
    return list(tx.connection.execute(query).scalars())


def list_table_names(tx: Transaction, number: int) -> set[str]:
    """The names of the tables in this bucket's schema in the lake; aliases are not in it."""
    is_inside = [tables.c.project_id == buckets.c.project_id, tables.c.branch_id == buckets.c.branch_id]
    query = select(tables.c.name).join(buckets, and_(*is_inside, tables.c.bucket_id == buckets.c.id))
    mine = query.where(buckets.c.number == number, tables.c.source_table_id.is_(None))
    return set(tx.connection.execute(mine).scalars())


def list_links(tx: Transaction, row: BucketRow) -> list[BucketRow]:
    """Linked buckets of any project whose source is this one. Only buckets of Main are shared, not those of the same id
    in a branch."""
    query = _all_with_sums().where(
        buckets.c.source_project_id == row.project_id,
        buckets.c.source_bucket_id == row.id,
        _is_in_main(literal(row.branch_id, BigInteger)),
    )
    return tx.all(query.order_by(buckets.c.created), into=BucketRow)


def list_links_to(tx: Transaction, project_id: int) -> list[BucketRow]:
    """Linked buckets of other projects whose source is any bucket of this project."""
    return tx.all(_all_with_sums().where(buckets.c.source_project_id == project_id), into=BucketRow)


def list_links_of(tx: Transaction, project_id: int) -> list[BucketRow]:
    """Linked buckets of this project."""
    mine = (buckets.c.project_id == project_id, buckets.c.source_project_id.is_not(None))
    return tx.all(_all_with_sums().where(*mine), into=BucketRow)


def list_shared(tx: Transaction, project_id: int) -> list[BucketRow]:
    """Shared buckets of the projects in the organization of this one; the caller filters by visibility."""
    query = _all_with_sums().where(
        buckets.c.sharing.is_not(None), is_in_organization_of(project_id, buckets.c.project_id)
    )
    return tx.all(query.order_by(buckets.c.project_id, buckets.c.id), into=BucketRow)


def find_shared(tx: Transaction, project_id: int, bucket_id: str, linking_id: int) -> BucketRow | None:
    """A bucket of a project, for a link to it by another project of the same organization."""
    query = _all_with_sums().where(buckets.c.project_id == project_id, buckets.c.id == bucket_id)
    is_visible = is_in_organization_of(linking_id, buckets.c.project_id)
    return tx.one(query.where(_is_in_main(buckets.c.branch_id), is_visible), into=BucketRow)


def change_bucket(tx: Transaction, row: BucketRow, **values: object) -> None:
    tx.change(update(buckets).where(buckets.c.number == row.number).values(**values))


def remove_bucket(tx: Transaction, row: BucketRow) -> None:
    tx.change(delete(buckets).where(buckets.c.number == row.number))


def remove_empty_bucket(tx: Transaction, row: BucketRow) -> None:
    """Remove a bucket, unless it has a table."""
    inside = exists().where(
        tables.c.project_id == row.project_id, tables.c.branch_id == row.branch_id, tables.c.bucket_id == row.id
    )
    tx.change(delete(buckets).where(buckets.c.number == row.number, ~inside))


def is_in_organization_of(project_id: int, other_id: ColumnElement[int]) -> ColumnElement[bool]:
    """Whether the other project is in the organization of this one, and not deleted."""
    own, other = projects.alias("own"), projects.alias("other")
    both = (own.c.id == project_id, other.c.id == other_id, other.c.deleted.is_(None))
    return exists().where(*both, own.c.organization_id == other.c.organization_id)


def _is_in_main(branch_id: ColumnElement[int]) -> ColumnElement[bool]:
    return exists().where(branches.c.id == branch_id, branches.c.is_default)


def _with_sums(project_id: int, branch_id: int) -> Select[tuple[object, ...]]:
    return _all_with_sums().where(buckets.c.project_id == project_id, buckets.c.branch_id == branch_id)
