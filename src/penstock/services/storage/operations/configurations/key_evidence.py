"""Whether the stack's key is the one that its configurations were encrypted with."""

from __future__ import annotations

import msgspec

from penstock.components.catalogue import find_component
from penstock.foundation.database import Transaction
from penstock.foundation.secrets import PREFIX, Cipher, Scope
from penstock.services.encryption.interface import bindings
from penstock.services.storage.store import configurations

TRIED = 500


def opens_secrets(tx: Transaction, cipher: Cipher) -> bool | None:
    """Whether the key decrypts the secrets of some configuration of a bundled component; None if none of them has
    any."""
    found = configurations.list_latest(tx, TRIED)
    tried = [_opens(tx, cipher, *row) for row in found if PREFIX.encode() in row[2] and find_component(row[1])]
    return any(tried) if tried else None


def _opens(tx: Transaction, cipher: Cipher, project_id: int, component_id: str, content: bytes) -> bool:
    component, document = find_component(component_id), msgspec.json.decode(content)
    hosts = component.hosts_of(document) if component else ""
    return cipher.opens(document, Scope(project_id, component_id, hosts), bindings.to_open(tx))
