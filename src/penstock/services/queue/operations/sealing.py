"""A configuration that comes with a request, and not from Storage: encrypted as Storage would."""

from __future__ import annotations

from typing import Any

from penstock.components.component import Component
from penstock.components.sealing import get_scope, seal_secrets
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.secrets import Cipher
from penstock.services.encryption.interface import bindings


def seal_configuration(
    tx: Transaction, caller: Caller, cipher: Cipher, component: Component, document: dict[str, Any], config_id: str = ""
) -> dict[str, Any]:
    """The document with its secrets encrypted for the hosts and processors that it names; ciphers of the Encryption
    service are bound to these, and those of other hosts stay so unless the project trusts the new ones."""
    where = {"config_id": config_id, "branch_type": caller.branch_type}
    scope = get_scope(caller.project_id, component.id, component.hosts_of(document), document, **where)
    return seal_secrets(cipher, document, scope, bindings.to_seal(tx, caller.project_id))
