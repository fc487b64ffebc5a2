"""Wraps ciphers with the newest root key, wherever they stand in a value of the database.

Only the wrapped part of a cipher changes, so neither its content nor its scope has to be known, and text around ciphers
stays as it is. So do ciphers of other stacks, and those without a mark: only who knows their scope can tell them from
any other text.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, cast

import msgspec

from penstock.foundation.secrets import envelope
from penstock.foundation.secrets.keys import KeyRing
from penstock.foundation.secrets.scopes import KINDS

_MIN_LENGTH = 28
"""Bytes of a cipher without a mark: a nonce and a tag. Anything shorter is not one."""
_TEXT = re.compile(rf"(KBC::(?:{'|'.join(KINDS)})::)([A-Za-z0-9+/]+={{0,2}})")
_BYTES = re.compile(_TEXT.pattern.encode())


def rewrap(ring: KeyRing, value: Any) -> Any:
    """The value of a column with all its ciphers wrapped by the newest key; the same object if there was nothing to
    do."""
    changed: Any
    if isinstance(value, str):
        changed = _TEXT.sub(lambda found: found[1] + _rewrap_base64(ring, found[2].encode()).decode(), value)
    elif isinstance(value, bytes):
        changed = _rewrap_bytes(ring, value)
    elif isinstance(value, dict | list):
        changed = _rewrap_document(ring, value)
    else:
        return value
    return cast(Any, value) if changed == value else changed


def find_root_keys(ring: KeyRing, value: Any) -> set[bytes]:
    """The ids of the root keys that the ciphers in the value of a column need; `UNMARKED` among them if there is text
    that may be a cipher without a mark."""
    found: set[bytes] = set()
    for sealed in _find_sealed(_to_bytes(value)):
        with suppress(envelope.CannotOpen):
            found.add(envelope.unwrap(ring, sealed).root_key_id)
    return found


def _find_sealed(content: bytes) -> Iterator[bytes]:
    if content.startswith(envelope.MARK):
        yield content
        return
    for found in _BYTES.finditer(content):
        if sealed := _decode(found[2]):
            yield sealed


def _to_bytes(value: Any) -> bytes:
    if isinstance(value, str):
        return value.encode(errors="replace")
    if isinstance(value, dict | list):
        return msgspec.json.encode(value)
    return value if isinstance(value, bytes) else b""


def _rewrap_bytes(ring: KeyRing, value: bytes) -> bytes:
    if value.startswith(envelope.MARK):
        return envelope.rewrap(ring, value)
    return _BYTES.sub(lambda found: found[1] + _rewrap_base64(ring, found[2]), value)


def _rewrap_document(ring: KeyRing, value: Any) -> Any:
    encoded = msgspec.json.encode(value)
    changed = _rewrap_bytes(ring, encoded)
    return value if changed == encoded else msgspec.json.decode(changed)


def _rewrap_base64(ring: KeyRing, text: bytes) -> bytes:
    sealed = _decode(text)
    changed = envelope.rewrap(ring, sealed)
    return text if changed == sealed else base64.b64encode(changed)


def _decode(text: bytes) -> bytes:
    """Empty if it cannot be a cipher."""
    try:
        sealed = base64.b64decode(text, validate=True)
    except ValueError:
        return b""
    return sealed if len(sealed) >= _MIN_LENGTH else b""
