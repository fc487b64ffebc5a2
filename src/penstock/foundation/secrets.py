"""Secrets at rest: values under `#` keys, and those of variables with `#` names, are encrypted for one scope.

A cipher is AES-256-GCM under the stack's key. Its scope (project, component, …) is the associated data: in another
project, component or stack, it cannot be decrypted.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import re
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from penstock.foundation import durable
from penstock.foundation.errors import Invalid
from penstock.foundation.redaction.values import secret_keys

PREFIX, WIDE_PREFIX = "KBC::ProjectSecure::", "KBC::ProjectWideSecure::"
_ANY_CIPHER = re.compile(r"KBC::(\w*Secure(KV|GKMS)?::|(Component|ComponentProject)?Encrypted==)")
_PLACEHOLDER = re.compile(r"\{\{[^{}]*\}\}")
KEY_BYTES, _NONCE_BYTES = 32, 12
NESTING = 200
"""The maximum depth of a document: all code that walks one later, here and in components, must be able to."""


class Scope(msgspec.Struct, frozen=True):
    """Who may decrypt a cipher: one component in one project, for certain hosts and with certain processors.

    Without a component it is the whole project: such a cipher can be decrypted for each of its components, whatever the
    hosts.
    """

    project_id: int
    component_id: str = ""
    hosts: str = ""
    processors: str = ""
    """The programs that process the component's data before and after it."""
    purpose: str = ""
    """For values outside a configuration: their kind."""

    @property
    def prefix(self) -> str:
        return PREFIX if self.component_id else WIDE_PREFIX


class UnreadableSecret(Invalid):
    def __init__(self, path: str) -> None:
        super().__init__(
            f"The encrypted value at `{path}` cannot be decrypted here: it was encrypted for another stack, project, "
            "component, host or list of processors, or it was altered. Enter the secret again."
        )


class NestedTooDeep(Invalid):
    def __init__(self) -> None:
        super().__init__(f"The document is nested deeper than {NESTING} levels.")


class Cipher:
    """Encrypts, decrypts and signs with the key of one stack."""

    def __init__(self, key: bytes) -> None:
        self._aes = AESGCM(key)
        # A separate key, so that signatures reveal nothing about the encryption key.
        self._signing_key = hmac.digest(key, b"penstock signatures", hashlib.sha256)
        self.fingerprint = int.from_bytes(hmac.digest(key, b"penstock fingerprint", hashlib.sha256)[:8]) >> 1
        """Identifies the key without revealing it; fits a signed 64-bit integer."""

    def sign(self, *words: str) -> str:
        """A URL-safe signature of these words in this order."""
        digest = hmac.digest(self._signing_key, msgspec.json.encode(words), hashlib.sha256)
        return base64.urlsafe_b64encode(digest).decode().rstrip("=")

    def seal(self, content: bytes, *words: str) -> bytes:
        """Encrypt bytes; decrypting requires the same words in the same order."""
        nonce = os.urandom(_NONCE_BYTES)
        return nonce + self._aes.encrypt(nonce, content, msgspec.json.encode(words))

    def unseal(self, sealed: bytes, *words: str) -> bytes | None:
        """Decrypt what seal() encrypted with these words; None if it was not, or with another key."""
        try:
            return self._aes.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], msgspec.json.encode(words))
        except (InvalidTag, ValueError):
            return None

    def encrypt(self, document: Any, scope: Scope) -> Any:
        """The document with every scalar under a `#` key encrypted, except ciphers and `{{ placeholders }}`."""
        return _walk(document, lambda value, _path: value if _is_sealed(value) else self._seal(value, scope))

    def encrypt_text(self, value: str, scope: Scope) -> str:
        """The cipher of a text; a text that is already a cipher is returned unchanged."""
        return value if is_cipher(value) else self._seal(value, scope)

    def decrypt(self, document: Any, scope: Scope, path: str = "") -> Any:
        """The document with every cipher under a `#` key decrypted, including those of the whole project.

        `path` is the document's position in a larger one, for error messages.
        """
        return _walk(document, lambda value, at: self._open(value, scope, at) if _is_ours(value) else value, path)

    def opens(self, document: Any, scope: Scope) -> bool:
        try:
            self.decrypt(document, scope)
        except UnreadableSecret:
            return False
        return True

    def _seal(self, value: Any, scope: Scope) -> str:
        nonce = os.urandom(_NONCE_BYTES)
        plain = msgspec.json.encode("" if value is None else value)
        return scope.prefix + base64.b64encode(nonce + self._aes.encrypt(nonce, plain, _associated(scope))).decode()

    def _open(self, value: str, scope: Scope, path: str) -> Any:
        if value.startswith(WIDE_PREFIX):
            scope = Scope(scope.project_id)
        try:
            raw = base64.b64decode(value.removeprefix(scope.prefix), validate=True)
            plain = self._aes.decrypt(raw[:_NONCE_BYTES], raw[_NONCE_BYTES:], _associated(scope))
        except (InvalidTag, ValueError) as error:
            raise UnreadableSecret(path) from error
        return msgspec.json.decode(plain)


def read_or_make_key(path: Path) -> bytes:
    """The stack's 32-byte key; created on the first start, readable by its owner only."""
    if not path.exists():
        durable.write_file(path, base64.b64encode(AESGCM.generate_key(KEY_BYTES * 8)) + b"\n")
    return read_key(path)


def read_key(path: Path) -> bytes:
    """Read an existing key file."""
    if path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise Invalid(f"The key file {path} can be read by others. Protect it: chmod 600 {path}")
    try:
        key = base64.b64decode(path.read_bytes(), validate=False)
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise Invalid(f"The key file {path} does not contain a valid key. Put back the key of this stack.")
    return key


def _walk(node: Any, change: Callable[[Any, str], Any], path: str = "", secret: bool = False, depth: int = 0) -> Any:
    if depth > NESTING:
        raise NestedTooDeep
    if isinstance(node, dict):
        members = cast(dict[str, Any], node)
        hidden = secret_keys(members)
        return {
            key: _walk(value, change, f"{path}.{key}".lstrip("."), secret or key in hidden, depth + 1)
            for key, value in members.items()
        }
    if isinstance(node, list):
        items = cast(list[Any], node)
        return [_walk(value, change, f"{path}.{index}", secret, depth + 1) for index, value in enumerate(items)]
    return change(node, path) if secret else node


def is_cipher(value: str) -> bool:
    """Whether it looks like a cipher, of any stack and scope."""
    return bool(_ANY_CIPHER.match(value))


def _is_sealed(value: Any) -> bool:
    return isinstance(value, str) and (is_cipher(value) or bool(_PLACEHOLDER.fullmatch(value)))


def _is_ours(value: Any) -> bool:
    return isinstance(value, str) and value.startswith((PREFIX, WIDE_PREFIX))


def _associated(scope: Scope) -> bytes:
    """Fields that were added later count only if they are set, so that older ciphers can still be decrypted."""
    always = {"project_id": scope.project_id, "component_id": scope.component_id, "hosts": scope.hosts}
    later = {"processors": scope.processors, "purpose": scope.purpose}
    return msgspec.json.encode({**always, **{name: value for name, value in later.items() if value}})
