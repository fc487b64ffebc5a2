"""What the audit log says of applications and credentials: who changed which, and never a secret."""

from __future__ import annotations

from typing import Any

from penstock.foundation import audit
from penstock.foundation.callers import Identity
from penstock.foundation.database import Transaction
from penstock.services.oauth.models.credentials import CredentialRow

DELETED = "oauth.credential.deleted"


def record_consumer(tx: Transaction, caller: Identity, what: str, component_id: str, **details: Any) -> None:
    target = f"OAuth application of {component_id}"
    audit.record(tx, audit.NewEntry.of(caller, f"oauth.consumer.{what}", target, **details))


def record_credential(tx: Transaction, caller: Identity, event: str, row: CredentialRow, **details: Any) -> None:
    audit.record(tx, audit.NewEntry.of(caller, event, _target(row), branch=row.branch_id, **details))


def describe_previous(row: CredentialRow) -> dict[str, Any]:
    """Whose credential was replaced."""
    return {
        "previousToken": row.creator_id,
        "previousTokenDescription": row.creator_description,
        "previousCreated": row.created.isoformat(),
    }


def record_deleted_with_branch(tx: Transaction, rows: list[CredentialRow]) -> None:
    """Record a deletion by the stack: the event of the branch does not say who deleted it."""
    entries = [
        audit.NewEntry(
            event=DELETED,
            project_id=row.project_id,
            target=_target(row),
            details={"branch": row.branch_id, "reason": "branch deleted"},
            actor="stack",
        )
        for row in rows
    ]
    audit.record_all(tx, entries)


def _target(row: CredentialRow) -> str:
    return f"OAuth credentials {row.id} of {row.component_id}"
