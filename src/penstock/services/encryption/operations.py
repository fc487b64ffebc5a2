"""Encrypts documents and texts for what the client says they are limited to."""

from __future__ import annotations

from typing import Any

import msgspec

from penstock.foundation.secrets import Cipher, Label
from penstock.foundation.secrets.documents import walk
from penstock.services.encryption.errors import InvalidContent, TooManySecrets, UnsupportedType
from penstock.services.encryption.models import EncryptQuery

JSON, TEXT = "application/json", "text/plain"
MAX_SECRETS = 1_000
"""In one document."""


def make_label(query: EncryptQuery) -> Label:
    """Raises UnknownKind for limits that no cipher can have."""
    return Label.of(**{name: value for name, value in msgspec.structs.asdict(query).items() if value})


def check_type(content_type: str) -> str:
    """JSON or TEXT; parameters such as a charset are allowed."""
    found = content_type.partition(";")[0].strip().lower()
    if found not in (JSON, TEXT):
        raise UnsupportedType(content_type)
    return found


def encrypt(cipher: Cipher, label: Label, content: bytes, content_type: str) -> bytes:
    """The same document with ciphers in place of its secrets; of a text, in JSON or plain, its cipher."""
    return _encrypt_json(cipher, label, content) if content_type == JSON else _encrypt_text(cipher, label, content)


def _encrypt_json(cipher: Cipher, label: Label, content: bytes) -> bytes:
    try:
        document = msgspec.json.decode(content)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise InvalidContent(f"The body is not JSON: {error}") from error
    if isinstance(document, str):
        return msgspec.json.encode(cipher.encrypt_text_unbound(document, label))
    if not isinstance(document, dict | list):
        raise InvalidContent("The body must be a JSON object, a list or a text.")
    _check_number(document)
    return msgspec.json.encode(cipher.encrypt_unbound(document, label))


def _check_number(document: Any) -> None:
    """Anybody may encrypt, and each secret takes a while."""
    count = 0

    def add(value: Any, _path: str) -> Any:
        nonlocal count
        count += 1
        if count > MAX_SECRETS:
            raise TooManySecrets(MAX_SECRETS)
        return value

    walk(document, add)


def _encrypt_text(cipher: Cipher, label: Label, content: bytes) -> bytes:
    try:
        return cipher.encrypt_text_unbound(content.decode(), label).encode()
    except UnicodeDecodeError as error:
        raise InvalidContent("The text is not UTF-8.") from error
