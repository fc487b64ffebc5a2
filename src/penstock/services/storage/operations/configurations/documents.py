"""The documents of configurations and rows: parsed from requests, and encrypted before they are stored."""

from __future__ import annotations

import re
from typing import Any, cast

import msgspec

from penstock.components import sealing
from penstock.components.catalogue import find_component
from penstock.components.sealing import get_scope, open_secrets, seal_secrets
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.errors import TooLarge
from penstock.foundation.secrets import Cipher, Scope
from penstock.services.encryption.interface import bindings
from penstock.services.storage.errors.configurations import InvalidFormat, InvalidStateFormat
from penstock.services.storage.models.configuration_rows import ChangedRow, NewRow
from penstock.services.storage.models.configurations import ChangedConfiguration, ConfigurationKey, NewConfiguration

DOCUMENT_BYTES = 4_000_000
_ID = re.compile(r"[^/\x00-\x1f\x7f]{1,255}")


def is_id(text: str) -> bool:
    """An id is part of a path: one with a slash or dot segments could be stored but never requested, and one of spaces
    cannot be seen."""
    return bool(_ID.fullmatch(text)) and text not in (".", "..") and not text.isspace()


def check_sizes(configuration: NewConfiguration | ChangedConfiguration | NewRow | ChangedRow) -> None:
    """Refuse documents that are too large before a transaction begins: encrypting one takes long, and other writers
    would wait for it."""
    for field in ("configuration", "state"):
        given = getattr(configuration, field)
        if isinstance(given, dict):
            _encode(cast(dict[str, Any], given), field)


def seal_configuration(
    tx: Transaction, caller: Caller, cipher: Cipher, key: ConfigurationKey, contents: Any, parent: bytes = b"{}"
) -> bytes:
    """The document with its secrets encrypted for the hosts and processors that it names. Ciphers are kept as they are,
    and bound to these hosts; those that are bound to other hosts stay so, unless the project trusts the new ones.

    A row is run as its configuration with the row's document merged over it (`parent`), and the merged document names
    them.
    """
    document = read_document(contents, "configuration")
    scope = _scope_of(caller, key, document, parent)
    return _encode(seal_secrets(cipher, document, scope, bindings.to_record(tx, key.project_id)), "configuration")


def open_configuration(
    tx: Transaction, caller: Caller, cipher: Cipher, key: ConfigurationKey, stored: bytes, parent: bytes = b"{}"
) -> dict[str, Any]:
    """A stored document with its secrets decrypted."""
    document = msgspec.json.decode(stored)
    return open_secrets(cipher, document, _scope_of(caller, key, document, parent), bindings.to_open(tx))


def open_state(tx: Transaction, caller: Caller, cipher: Cipher, key: ConfigurationKey, stored: bytes) -> dict[str, Any]:
    scope = Scope(key.project_id, key.component_id, config_id=key.id, branch_type=caller.branch_type)
    return sealing.open_state(cipher, msgspec.json.decode(stored), scope, bindings.to_open(tx))


def _scope_of(caller: Caller, key: ConfigurationKey, document: dict[str, Any], parent: bytes) -> Scope:
    component = find_component(key.component_id)
    whole = overlay(msgspec.json.decode(parent), document)
    hosts = component.hosts_of(whole) if component else ""
    where = {"config_id": key.id, "branch_type": caller.branch_type}
    return get_scope(key.project_id, key.component_id, hosts, whole, **where)


def seal_state(tx: Transaction, caller: Caller, cipher: Cipher, key: ConfigurationKey, state: Any) -> bytes:
    scope = Scope(key.project_id, key.component_id, config_id=key.id, branch_type=caller.branch_type)
    recorded = bindings.to_record(tx, key.project_id)
    return _encode(sealing.seal_state(cipher, read_document(state, "state"), scope, recorded), "state")


def overlay(below: Any, above: Any) -> Any:
    """Merge objects member by member and lists item by item; any other value replaces the one below it."""
    if isinstance(below, list) and isinstance(above, list):
        under, over = cast(list[Any], below), cast(list[Any], above)
        both = [overlay(*pair) for pair in zip(under, over, strict=False)]
        return [*both, *(under if len(under) > len(over) else over)[len(both) :]]
    if not isinstance(below, dict) or not isinstance(above, dict):
        return above
    merged = dict(cast(dict[str, Any], below))
    for name, value in cast(dict[str, Any], above).items():
        merged[name] = overlay(merged[name], value) if name in merged else value
    return merged


def read_document(value: Any, field: str) -> dict[str, Any]:
    """An object, or a string with a JSON object; empty and `[]` mean the empty object."""
    if isinstance(value, str) and value.strip():
        try:
            value = msgspec.json.decode(value)
        except (msgspec.DecodeError, RecursionError) as error:
            raise _wrong_format(field) from error
    if value in (None, [], ""):
        return {}
    if not isinstance(value, dict):
        raise _wrong_format(field)
    return cast(dict[str, Any], value)


def _encode(document: dict[str, Any], field: str) -> bytes:
    sealed = msgspec.json.encode(document)
    if len(sealed) > DOCUMENT_BYTES:
        raise TooLarge(f'"{field}" is larger than {DOCUMENT_BYTES:,} bytes.')
    return sealed


def _wrong_format(field: str) -> InvalidFormat:
    return InvalidStateFormat(field) if field == "state" else InvalidFormat(field)
