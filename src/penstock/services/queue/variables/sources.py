"""Where a job's shared code, variables and vault values are kept: in Storage and in Vault, in the job's branch."""

from __future__ import annotations

from typing import Any

from penstock.foundation.callers import Caller
from penstock.foundation.database import Database
from penstock.foundation.errors import NotFound
from penstock.foundation.secrets import Cipher, Scope
from penstock.services.encryption.interface import bindings
from penstock.services.storage import interface as storage
from penstock.services.vault import interface as vault

VARIABLES, SHARED_CODE = "keboola.variables", "keboola.shared-code"


class StoredSources:
    """What one caller may read. Each is read on first use, and once: most jobs use none. What is
    changed between two queries may be visible to the second only."""

    def __init__(self, database: Database, caller: Caller, cipher: Cipher | None) -> None:
        """Prepare the sources. Without a cipher, values of variables with `#` names stay encrypted."""
        self._database, self._caller, self._cipher = database, caller, cipher
        self.opened: list[dict[str, Any]] = []
        """Sets of values that were read: those of `#` names must not be logged."""
        self.opened_names: list[str] = []
        """Of the sets of values that were decrypted: `variables/<configuration>/<row>`."""
        self._known: dict[tuple[str, str], storage.Configuration] = {}

    def read_shared_code(self, config_id: str, row_id: str) -> dict[str, Any]:
        return self._row(SHARED_CODE, config_id, row_id)

    def read_variables(self, config_id: str) -> dict[str, Any]:
        return self._configuration(VARIABLES, config_id).document

    def read_values(self, config_id: str, row_id: str) -> dict[str, Any]:
        stored = self._row(VARIABLES, config_id, row_id)
        if not self._cipher:
            return stored
        scope = Scope(self._caller.project_id, VARIABLES, config_id=config_id, branch_type=self._caller.branch_type)
        recorded = bindings.to_open_later(self._database)
        self.opened.append(self._cipher.decrypt(stored, scope, bindings=recorded))
        if self.opened[-1] != stored:
            self.opened_names.append(f"variables/{config_id}/{row_id}")
        return self.opened[-1]

    def read_vault(self) -> dict[str, str]:
        with self._database.reading() as tx:
            found = vault.list_scoped(tx, self._caller, self._caller.branch_id)
        return {each.key: each.value for each in found}

    def _row(self, component_id: str, config_id: str, row_id: str) -> dict[str, Any]:
        rows = self._configuration(component_id, config_id).rows
        found = next((row for row in rows if row.id == row_id), None)
        if not found:
            raise NotFound(f"Row {row_id} not found")
        return found.document

    def _configuration(self, component_id: str, config_id: str) -> storage.Configuration:
        key = (component_id, config_id)
        if key not in self._known:
            with self._database.reading() as tx:
                self._known[key] = storage.read_configuration(tx, self._caller, *key)
        return self._known[key]
