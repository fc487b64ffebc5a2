"""Passwords and key pairs of workspaces. Each is returned once; a hash and the public key are stored."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import secrets
from typing import NamedTuple

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_der_public_key,
    load_pem_public_key,
)

from penstock.services.storage.errors.workspaces import InvalidPublicKey

KEY_BITS, MIN_BITS = 2048, 2048
_HEADER = "-----BEGIN"


class KeyPair(NamedTuple):
    """Both as PEM; the private key as PKCS#8."""

    private: str
    public: str


def new_password() -> str:
    return secrets.token_urlsafe(32)


def hash_password(password: str) -> str:
    """Passwords are random and long, so that nothing slower is needed: none can be guessed from its hash."""
    return hashlib.sha256(password.encode()).hexdigest()


def is_password(password: str, password_hash: str | None) -> bool:
    return password_hash is not None and hmac.compare_digest(hash_password(password), password_hash)


def new_key_pair() -> KeyPair:
    """Takes a tenth of a second: call it outside of transactions."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=KEY_BITS)
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return KeyPair(private.decode(), _to_text(key.public_key()))


def read_public_key(value: str) -> str | None:
    """The key as PEM; None if there is none. Also accepts the base64 text alone, as SQL of Snowflake has it."""
    text = value.strip()
    if not text:
        return None
    try:
        key = load_pem_public_key(text.encode()) if text.startswith(_HEADER) else load_der_public_key(_decode(text))
    except (ValueError, UnsupportedAlgorithm, binascii.Error) as error:
        raise InvalidPublicKey from error
    if not isinstance(key, rsa.RSAPublicKey) or key.key_size < MIN_BITS:
        raise InvalidPublicKey
    return _to_text(key)


def _decode(text: str) -> bytes:
    return base64.b64decode("".join(text.split()).encode(), validate=True)


def _to_text(key: rsa.RSAPublicKey) -> str:
    return key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()
