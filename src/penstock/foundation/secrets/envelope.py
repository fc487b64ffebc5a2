"""The bytes of a cipher: AES-256-GCM with a data key of its own, which a root key wraps together with its label.

    mark 6 | id of the root key 8 | size of the next part 2 | wrapped data key and label | nonce 12 and content

The label is the associated data of the content. A rotation replaces only the wrapped part, so it needs neither the
content nor anything else that the content was encrypted for. Ciphers from before there were rings have no mark: their
content is encrypted with the root key itself, and what they are for is known only to whoever decrypts them.
"""

from __future__ import annotations

import base64
import os

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from penstock.foundation.secrets.keys import ID_BYTES, KEY_BYTES, KeyRing, RootKey

MARK = base64.b64decode("PENSTOCK")
"""So a cipher's text begins with this word: 48 bits that no nonce of an older cipher has by chance."""
UNMARKED = b""
"""Stands for the id of the root key where there is no mark: it is the oldest key of the ring."""
NONCE_BYTES, SIZE_BYTES = 12, 2
_HEAD = len(MARK) + ID_BYTES + SIZE_BYTES


class CannotOpen(Exception):
    """It was encrypted with a key that is not in the ring, or altered, or is not a cipher at all."""


class Envelope(msgspec.Struct, frozen=True):
    """A cipher whose data key is unwrapped."""

    data_key: bytes
    label: bytes
    """Empty for content from before labels: what it is for is not in it."""
    content: bytes
    root_key_id: bytes
    """UNMARKED for a cipher without a mark: nothing shows yet that it is one of this stack."""

    def open(self, associated: bytes) -> bytes:
        """The content; `associated` is the label, or for content without one what the caller thinks it is for."""
        try:
            return _decrypt(AESGCM(self.data_key), self.content, self.label or associated)
        except (InvalidTag, ValueError) as error:
            raise CannotOpen from error


def seal(ring: KeyRing, content: bytes, label: bytes) -> bytes:
    data_key = os.urandom(KEY_BYTES)
    return _wrap(ring.current, data_key, label) + _encrypt(AESGCM(data_key), content, label)


def unwrap(ring: KeyRing, sealed: bytes) -> Envelope:
    if not sealed.startswith(MARK):
        return Envelope(ring.first.secret, b"", sealed, UNMARKED)
    key_id = sealed[len(MARK) : len(MARK) + ID_BYTES]
    end = _HEAD + int.from_bytes(sealed[_HEAD - SIZE_BYTES : _HEAD])
    root = ring.find(key_id)
    try:
        if not root:
            raise CannotOpen
        inner = _decrypt(root.aes, sealed[_HEAD:end], MARK)
    except (InvalidTag, ValueError) as error:
        raise CannotOpen from error
    return Envelope(inner[:KEY_BYTES], inner[KEY_BYTES:], sealed[end:], key_id)


def content_of(sealed: bytes) -> bytes:
    """The part that no rotation changes; empty if there is no mark."""
    end = _HEAD + int.from_bytes(sealed[_HEAD - SIZE_BYTES : _HEAD])
    return sealed[end:] if sealed.startswith(MARK) else b""


def rewrap(ring: KeyRing, sealed: bytes) -> bytes:
    """The same content, wrapped by the newest root key; unchanged if it already is, or is not a cipher of this ring.

    One without a mark is unchanged too: whose it is shows only when it is decrypted.
    """
    try:
        known = unwrap(ring, sealed)
    except CannotOpen:
        return sealed
    return wrap_anew(ring, known) if known.root_key_id not in (UNMARKED, ring.current.id) else sealed


def wrap_anew(ring: KeyRing, envelope: Envelope) -> bytes:
    """The same content, wrapped by the newest root key. Without a mark, it must have been decrypted before."""
    return _wrap(ring.current, envelope.data_key, envelope.label) + envelope.content


def _wrap(root: RootKey, data_key: bytes, label: bytes) -> bytes:
    wrapped = _encrypt(root.aes, data_key + label, MARK)
    return MARK + root.id + len(wrapped).to_bytes(SIZE_BYTES) + wrapped


def _encrypt(aes: AESGCM, content: bytes, associated: bytes) -> bytes:
    nonce = os.urandom(NONCE_BYTES)
    return nonce + aes.encrypt(nonce, content, associated)


def _decrypt(aes: AESGCM, sealed: bytes, associated: bytes) -> bytes:
    return aes.decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], associated)
