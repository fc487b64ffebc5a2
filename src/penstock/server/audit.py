"""The audit log of a stack, for operators."""

from __future__ import annotations

from penstock.foundation import audit
from penstock.server.data_folder import open_database
from penstock.settings import Settings


def list_entries(settings: Settings, filters: audit.AuditFilter) -> list[audit.AuditEntry]:
    """Newest first."""
    with open_database(settings) as database, database.reading() as tx:
        return audit.list_entries(tx, filters)
