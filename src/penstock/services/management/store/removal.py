"""Removal of what Management and the web layer have of a project, but for its record and its credits: those that were
bought and the ledger of those that were spent are one account, which only grows."""

from __future__ import annotations

from sqlalchemy import delete

from penstock.foundation.database import Transaction
from penstock.services.management.store.invitations import invitations, join_requests
from penstock.services.management.store.members import members
from penstock.services.management.store.metadata import entries
from penstock.web.idempotency import repeats


def remove_of_project(tx: Transaction, project_id: int) -> None:
    for table in (members, invitations, entries):
        tx.change(delete(table).where(table.c.level == "project", table.c.owner_id == project_id))
    for table in (join_requests, repeats):
        tx.change(delete(table).where(table.c.project_id == project_id))
