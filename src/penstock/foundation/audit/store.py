"""The table of the audit log. Triggers of the database refuse to change an entry, or to delete a young one."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import msgspec
from sqlalchemy import JSON, BigInteger, Column, Index, Integer, Select, Table, Text, delete, insert, or_, select

from penstock.foundation import clock
from penstock.foundation.audit.entry import AuditEntry, AuditFilter, NewEntry
from penstock.foundation.database import Timestamp, Transaction, metadata
from penstock.foundation.stack import Stack

MIN_DAYS = 90
"""How long every entry is kept, whatever the settings say."""

audit = Table(
    "foundation_audit",
    metadata,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True),
    Column("time", Timestamp, nullable=False),
    Column("project_id", BigInteger, nullable=False),
    Column("event", Text, nullable=False),
    Column("target", Text, nullable=False),
    Column("details", JSON, nullable=False),
    Column("token_id", BigInteger),
    Column("actor", Text, nullable=False),
    Column("address", Text, nullable=False),
    Column("user_agent", Text, nullable=False),
    Index("foundation_audit_by_project", "project_id", "id"),
    Index("foundation_audit_by_time", "time"),
)

_ADD = insert(audit)


def record(tx: Transaction, entry: NewEntry) -> None:
    """Record something in the transaction that makes it true."""
    record_all(tx, [entry])


def record_all(tx: Transaction, entries: Sequence[NewEntry]) -> None:
    if entries:
        now = clock.now()
        tx.change(_ADD, [{"time": now, **msgspec.structs.asdict(entry)} for entry in entries])


def list_entries(tx: Transaction, entry_filter: AuditFilter) -> list[AuditEntry]:
    """Newest first."""
    return tx.all(_select(entry_filter).order_by(audit.c.id.desc()).limit(entry_filter.limit), AuditEntry)


def _select(entry_filter: AuditFilter) -> Select[tuple[object, ...]]:
    query = select(audit)
    if entry_filter.project_id is not None:
        query = query.where(audit.c.project_id == entry_filter.project_id)
    if entry_filter.token_id is not None:
        query = query.where(audit.c.token_id == entry_filter.token_id)
    if entry_filter.event:
        begins = audit.c.event.startswith(f"{entry_filter.event}.", autoescape=True)
        query = query.where(or_(audit.c.event == entry_filter.event, begins))
    if entry_filter.actor:
        query = query.where(audit.c.actor.icontains(entry_filter.actor, autoescape=True))
    if entry_filter.before is not None:
        query = query.where(audit.c.id < entry_filter.before)
    if entry_filter.since:
        query = query.where(audit.c.time >= entry_filter.since)
    return query.where(audit.c.time < entry_filter.until) if entry_filter.until else query


def maintain(stack: Stack) -> None:
    """Delete entries that are older than the stack keeps them, if it has a limit."""
    if not stack.settings.audit_days:
        return
    kept = timedelta(days=max(stack.settings.audit_days, MIN_DAYS))
    with stack.database.writing() as tx:
        tx.change(delete(audit).where(audit.c.time < clock.now() - kept))
