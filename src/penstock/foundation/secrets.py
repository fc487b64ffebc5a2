"""Secrets at rest: values under `#` keys, and those of variables with `#` names, become ciphers that open only in the
scope they were made for.

A cipher is AES-256-GCM under the stack's key. Its scope (project, component, …) is the associated data: moved to
another project or component, or to another stack, it does not open.
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
"""How deep a document may be: everything that walks one later, here and in components, must get to its end."""


class Scope(msgspec.Struct, frozen=True):
    """Who may open a cipher: one component in one project, to send it to certain hosts, beside certain processors.

    Without a component it is the whole project: such a cipher opens for each of its components, whatever the hosts.
    """

    project_id: int
    component_id: str = ""
    hosts: str = ""
    processors: str = ""
    """The programs that work on the component's data before and after it."""
    purpose: str = ""
    """Of values that are not a part of a configuration: what they are."""

    @property
    def prefix(self) -> str:
        return PREFIX if self.component_id else WIDE_PREFIX


class UnreadableSecret(Invalid):
    def __init__(self, path: str) -> None:
        super().__init__(
            f"The encrypted value at `{path}` cannot be opened here: it was made for another stack, project, "
            "component, host or list of processors, or it was altered. Enter the secret again."
        )


class NestedTooDeep(Invalid):
    def __init__(self) -> None:
        super().__init__(f"The document is nested deeper than {NESTING} levels.")


class Cipher:
    """Encrypts, decrypts and signs with the key of one stack."""

    def __init__(self, key: bytes) -> None:
        self._aes = AESGCM(key)
        # A key of its own: no signature says anything about the one that opens ciphers.
        self._signing_key = hmac.digest(key, b"penstock signatures", hashlib.sha256)
        self.fingerprint = int.from_bytes(hmac.digest(key, b"penstock fingerprint", hashlib.sha256)[:8]) >> 1
        """Tells this key from others, and nothing else of it; as large as a signed integer of 64 bits can be."""

    def sign(self, *words: str) -> str:
        """A text, fit for addresses, that only this stack can make of these words in this order."""
        digest = hmac.digest(self._signing_key, msgspec.json.encode(words), hashlib.sha256)
        return base64.urlsafe_b64encode(digest).decode().rstrip("=")

    def seal(self, content: bytes, *words: str) -> bytes:
        """Any bytes, for whoever names the same words again in the same order."""
        nonce = os.urandom(_NONCE_BYTES)
        return nonce + self._aes.encrypt(nonce, content, msgspec.json.encode(words))

    def unseal(self, sealed: bytes, *words: str) -> bytes | None:
        """What was sealed with these words; None if it was not, or with another key."""
        try:
            return self._aes.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], msgspec.json.encode(words))
        except (InvalidTag, ValueError):
            return None

    def encrypt(self, document: Any, scope: Scope) -> Any:
        """The same document with every scalar under a `#` key encrypted, but for ciphers and `{{ placeholders }}`."""
        return _walk(document, lambda value, _path: value if _is_sealed(value) else self._seal(value, scope))

    def encrypt_text(self, value: str, scope: Scope) -> str:
        """The cipher of a text; a text that is a cipher already stays as it is."""
        return value if is_cipher(value) else self._seal(value, scope)

    def decrypt(self, document: Any, scope: Scope, path: str = "") -> Any:
        """The same document with every cipher under a `#` key opened, those of the whole project too.

        `path` is where the document stands in a larger one, for the message of a cipher that does not open.
        """
        return _walk(document, lambda value, at: self._open(value, scope, at) if _is_ours(value) else value, path)

    def decrypt_text(self, value: str, scope: Scope, path: str) -> str:
        """The text of a cipher; a text that is not a cipher of this stack stays as it is."""
        return str(self._open(value, scope, path)) if _is_ours(value) else value

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
    """The stack's 32-byte key; made on the first start, readable by its owner only."""
    if not path.exists():
        durable.write_file(path, base64.b64encode(AESGCM.generate_key(KEY_BYTES * 8)) + b"\n")
    return read_key(path)


def read_key(path: Path) -> bytes:
    """The key in a file that is there."""
    if path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise Invalid(f"The key file {path} can be read by others. Protect it: chmod 600 {path}")
    try:
        key = base64.b64decode(path.read_bytes(), validate=False)
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise Invalid(f"The key file {path} holds no key. Put back the one that this stack was started with.")
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
    """Whether it looks like one, of whatever stack and scope."""
    return bool(_ANY_CIPHER.match(value))


def _is_sealed(value: Any) -> bool:
    return isinstance(value, str) and (is_cipher(value) or bool(_PLACEHOLDER.fullmatch(value)))


def _is_ours(value: Any) -> bool:
    return isinstance(value, str) and value.startswith((PREFIX, WIDE_PREFIX))


def _associated(scope: Scope) -> bytes:
    """Fields that came later count only where they are set, so that ciphers from before them still open."""
    always = {"project_id": scope.project_id, "component_id": scope.component_id, "hosts": scope.hosts}
    later = {"processors": scope.processors, "purpose": scope.purpose}
    return msgspec.json.encode({**always, **{name: value for name, value in later.items() if value}})
