"""Vault's reactions to events of other services."""

from __future__ import annotations

from penstock.foundation.database import Transaction
from penstock.foundation.events import on
from penstock.services.storage.interface import BranchDeleted
from penstock.services.vault import store


def remove_variables(tx: Transaction, event: BranchDeleted) -> None:
    """Branch ids are not reused, so its variables can never be read again."""
    store.remove_of_branch(tx, event.project_id, event.branch_id)


REACTIONS = [on(BranchDeleted, remove_variables, name="vault.removeVariables")]
