"""What other services may call in Vault."""

from __future__ import annotations

import msgspec

from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.services.vault import operations
from penstock.services.vault.models import Filter, VariableRow


class Variable(msgspec.Struct, frozen=True):
    key: str
    value: str
    """For a secret it is a cipher for the whole project: `Cipher.decrypt` decrypts it under a `#` key, in the scope of
    any component of the project."""


def list_scoped(tx: Transaction, caller: Caller, branch_id: int) -> list[Variable]:
    """The variables that a branch sees, each key once: the one with the fewest attributes wins, then the oldest."""
    found: dict[str, VariableRow] = {}
    rows = operations.list_scoped(tx, caller, str(branch_id), Filter())
    for row in sorted(rows, key=lambda row: len(row.attributes)):
        found.setdefault(row.key, row)
    return [Variable(row.key, row.value) for row in found.values()]
