"""What ciphers are bound to that are kept as their client made them.

Such a cipher names no hosts itself. Its bindings are labels that are stored beside it, by the digest of its content: a
cipher has the same digest wherever it is copied to, and after a rotation of keys.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Collection, Mapping

import msgspec

from penstock.foundation.secrets import envelope
from penstock.foundation.secrets.documents import kind_of
from penstock.foundation.secrets.scopes import Hosts, Label, prefix_of

Recorded = dict[str, list[Label]]
"""The bindings of ciphers, by their digests. One that is not bound, of a cipher in the vault, means any host."""


def _find_none(_digests: Collection[str]) -> Recorded:
    return {}


class Bindings(msgspec.Struct, frozen=True):
    """The recorded bindings, as far as the place of a document may read and write them."""

    find: Callable[[Collection[str]], Recorded] = _find_none
    add: Callable[[Mapping[str, Label]], None] | None = None
    """Record further bindings, by digest. Without it, a cipher is encrypted again with its binding inside."""
    trusted: Hosts = frozenset


NO_BINDINGS = Bindings()


def digest_of(cipher: str) -> str | None:
    """Return None for a text that cannot be a cipher with a label. No key is needed."""
    if not (kind := kind_of(cipher)):
        return None
    try:
        content = envelope.content_of(base64.b64decode(cipher.removeprefix(prefix_of(kind)), validate=True))
    except ValueError:
        return None
    return hashlib.sha256(content).hexdigest() if content else None
