"""What other services may call in Encryption."""

from __future__ import annotations

from penstock.foundation.database import Transaction
from penstock.services.encryption import bindings, trusted_hosts
from penstock.services.encryption.ports import Place, PlainConfiguration, PlainRow, Storage

__all__ = [
    "Place",
    "PlainConfiguration",
    "PlainRow",
    "Storage",
    "bindings",
    "set_trusted_host",
]


def set_trusted_host(tx: Transaction, project_id: int, host: str, *, is_trusted: bool) -> list[str]:
    """All hosts that the project trusts after that."""
    return trusted_hosts.set_trusted_host(tx, project_id, host, is_trusted=is_trusted)
