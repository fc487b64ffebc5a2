"""Secrets at rest: values under `#` keys, and those of variables with `#` names, are encrypted for one scope.

keys.py       the ring of root keys, in one file: the first line encrypts, all of them decrypt
envelope.py   the bytes of a cipher: a data key wrapped by a root key, and the content
scopes.py     who may decrypt: kinds of ciphers, and what each is limited to
bindings.py   what ciphers are bound to that are kept as their client made them
documents.py  where the secrets of a document are, and what a cipher looks like
cipher.py     encrypts and decrypts documents, signs
rewrapping.py wraps stored ciphers with the newest root key, without decrypting their contents
"""

from __future__ import annotations

from penstock.foundation.secrets.bindings import NO_BINDINGS, Bindings, Recorded, digest_of
from penstock.foundation.secrets.cipher import Cipher
from penstock.foundation.secrets.documents import NESTING, NestedTooDeep, is_cipher, walk
from penstock.foundation.secrets.keys import KeyRing, read_key, read_or_make_key
from penstock.foundation.secrets.scopes import (
    DEFAULT,
    DEVELOPMENT,
    PREFIX,
    WIDE_PREFIX,
    Hosts,
    Label,
    Scope,
    UnknownKind,
    UnreadableSecret,
)

__all__ = [
    "DEFAULT",
    "DEVELOPMENT",
    "NESTING",
    "NO_BINDINGS",
    "PREFIX",
    "WIDE_PREFIX",
    "Bindings",
    "Cipher",
    "Hosts",
    "KeyRing",
    "Label",
    "NestedTooDeep",
    "Recorded",
    "Scope",
    "UnknownKind",
    "UnreadableSecret",
    "digest_of",
    "is_cipher",
    "read_key",
    "read_or_make_key",
    "walk",
]
