"""Encryption of the broker's secrets: for one component, in one project or, of a consumer, in none.

The scope has a purpose of its own: a cipher that a response shows does not open in a configuration, where it could be
sent to another host.
"""

from __future__ import annotations

from penstock.foundation.database import Transaction
from penstock.foundation.secrets import Cipher, Scope, UnreadableSecret, is_cipher
from penstock.services.encryption.interface import bindings

PURPOSE = "oauth"
STORED = "a stored credential or configuration"
NO_PROJECT = 0
_KEY = "#value"


def scope_of(project_id: int, component_id: str) -> Scope:
    return Scope(project_id, component_id, purpose=PURPOSE)


def consumer_scope(component_id: str) -> Scope:
    return scope_of(NO_PROJECT, component_id)


def seal(tx: Transaction, cipher: Cipher, value: str, scope: Scope) -> str:
    """Encrypt it. A cipher of the encryption service is bound to the broker, unless a configuration has it; any other
    cipher is kept."""
    if not is_cipher(value):
        return cipher.encrypt_text(value, scope)
    return cipher.encrypt({_KEY: value}, scope, bindings.to_seal(tx, scope.project_id))[_KEY]


def unseal(cipher: Cipher, value: str, scope: Scope, path: str) -> str:
    """Raises UnreadableSecret, which names the path, for a cipher of another scope."""
    return str(cipher.decrypt({_KEY: value}, scope, path)[_KEY])


def open_given(tx: Transaction, cipher: Cipher, value: str, scope: Scope, path: str) -> str:
    """A secret that a user has entered: plain text, or a cipher of the encryption service.

    Raises UnreadableSecret for a cipher that is bound. Responses show those of the broker: whoever reads one must not
    get it decrypted and sent to an address of their choice.
    """
    sealed = seal(tx, cipher, value, scope)
    if is_cipher(value) and sealed == value:
        raise UnreadableSecret(path, STORED)
    return unseal(cipher, sealed, scope, path)
