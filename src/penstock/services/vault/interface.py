"""What other services may ask of Vault."""

from __future__ import annotations

import msgspec

from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.secrets import Cipher, Scope
from penstock.services.vault import operations, store
from penstock.services.vault.models import Filter, VariableRow

SECRETS_TRIED = 20


class Variable(msgspec.Struct, frozen=True):
    key: str
    value: str
    """Of a secret it is a cipher for the whole project: `Cipher.decrypt` opens it under a `#` key, in the scope of any
    component of the project."""


def opens_secrets(tx: Transaction, cipher: Cipher) -> bool | None:
    """Whether the key of the cipher opens some secret; None if there is none."""
    found = store.list_secrets(tx, SECRETS_TRIED)
    return any(cipher.opens({"#value": row.value}, Scope(row.project_id)) for row in found) if found else None


def list_scoped(tx: Transaction, caller: Caller, branch_id: int) -> list[Variable]:
    """What a branch sees, each key once: the one with the fewest attributes wins, then the oldest."""
    found: dict[str, VariableRow] = {}
    rows = operations.list_scoped(tx, caller, str(branch_id), Filter())
    for row in sorted(rows, key=lambda row: len(row.attributes)):
        found.setdefault(row.key, row)
    return [Variable(row.key, row.value) for row in found.values()]
