"""The tables of the ledger. Entries are only added; triggers keep the totals of a day and of a project."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import (
    BigInteger,
    Column,
    Index,
    Integer,
    Select,
    Table,
    Text,
    UniqueConstraint,
    bindparam,
    exists,
    false,
    func,
    literal,
    select,
)

from penstock.foundation.database import Timestamp, Transaction, metadata
from penstock.services.billing.models import Account, EntryRow, Kind
from penstock.services.management import interface as management

_MEASURES = ("duration", "free", "bytes", "rows", "amount")
_KEY = ("day", "kind", "component", "configuration")

entries = Table(
    "billing_entries",
    metadata,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True),
    Column("project_id", BigInteger, nullable=False),
    *(Column(name, Text, nullable=False) for name in ("kind", "reference", "component", "configuration", "day")),
    Column("created", Timestamp, nullable=False),
    *(Column(name, BigInteger, nullable=False) for name in (*_MEASURES, "hour_price", "gigabyte_price")),
    Column("owed", BigInteger, nullable=False, server_default="0"),
    UniqueConstraint("project_id", "kind", "reference", name="billing_entries_once"),
    Index("billing_entries_by_project", "project_id", "id"),
)
days = Table(
    "billing_days",
    metadata,
    Column("project_id", BigInteger, primary_key=True),
    *(Column(name, Text, primary_key=True) for name in _KEY),
    Column("entries", BigInteger, nullable=False),
    *(Column(name, BigInteger, nullable=False) for name in _MEASURES),
    Index("billing_days_by_day", "day", "project_id"),
)
accounts = Table(
    "billing_accounts",
    metadata,
    Column("project_id", BigInteger, primary_key=True),
    *(Column(name, BigInteger, nullable=False) for name in ("jobs", "workspaces", "free")),
    Column("month", Text, nullable=False),
    Column("owed", BigInteger, nullable=False, server_default="0"),
)

_PROJECT = bindparam("of_project", type_=BigInteger)
_SAME = [
    entries.c.project_id == _PROJECT,
    *(entries.c[name] == bindparam(f"of_{name}", type_=Text) for name in ("kind", "reference")),
]


def _finding_account(is_charged: Any) -> Select[Any]:
    """Select the account with the features of the project, in one query."""
    projects = management.projects
    columns = [accounts.c[name] for name in ("jobs", "workspaces", "owed", "month", "free")]
    both = projects.outerjoin(accounts, accounts.c.project_id == projects.c.id)
    found: Select[Any] = select(*[projects.c.features, *columns, is_charged.label("is_charged")])
    return found.select_from(both).where(projects.c.id == _PROJECT)


_FIND = _finding_account(false())
_FIND_FOR = _finding_account(exists().where(*_SAME))


def find_account(tx: Transaction, project_id: int) -> Account | None:
    """Return None if there is no such project."""
    return tx.one(_FIND, Account, of_project=project_id)


def find_account_for(tx: Transaction, project_id: int, kind: Kind, reference: str) -> Account | None:
    """And whether there is an entry for this."""
    return tx.one(_FIND_FOR, Account, of_project=project_id, of_kind=kind, of_reference=reference)


def add_entry(tx: Transaction, row: EntryRow) -> None:
    """Triggers of the table add it to its day and to the account of its project."""
    tx.insert_all(entries, [msgspec.structs.asdict(row)])


def list_totals(
    tx: Transaction,
    project_id: int | None,
    *,
    first: str,
    last: str,
    by: Sequence[str],
    where: dict[str, str],
    limit: int,
    offset: int,
) -> list[dict[str, Any]]:
    """Sums of the days from `first` to `last`, one row for each value of the columns `by`, in their order."""
    query = _between(project_id, first, last, where).group_by(*(days.c[name] for name in by))
    query = query.add_columns(*(days.c[name] for name in by)).order_by(*(days.c[name] for name in by))
    found = tx.connection.execute(query.limit(limit).offset(offset)).mappings()
    return [_read_sums(row) for row in found]


def sum_totals(
    tx: Transaction, project_id: int | None, *, first: str, last: str, where: dict[str, str]
) -> dict[str, Any]:
    return _read_sums(tx.connection.execute(_between(project_id, first, last, where)).mappings().one())


def _between(project_id: int | None, first: str, last: str, where: dict[str, str]) -> Select[Any]:
    sums = (func.coalesce(func.sum(days.c[name]), literal(0)).label(name) for name in ("entries", *_MEASURES))
    wanted = [days.c.day >= first, days.c.day <= last, *(days.c[name] == value for name, value in where.items())]
    if project_id is not None:
        wanted.append(days.c.project_id == project_id)
    return select(*sums).where(*wanted)


def _read_sums(row: Any) -> dict[str, Any]:
    """PostgreSQL sums whole numbers to decimals."""
    return {str(name): value if isinstance(value, str) else int(value) for name, value in row.items()}
