"""Encryption of the broker's secrets: for one component, in one project or, of a consumer, in none.

The scope has a purpose of its own: a cipher that a response shows does not open in a configuration, where it could be
sent to another host.
"""

from __future__ import annotations

from penstock.foundation.secrets import Cipher, Scope, UnreadableSecret, is_cipher

PURPOSE = "oauth"
NO_PROJECT = 0
_KEY = "#value"


def scope_of(project_id: int, component_id: str) -> Scope:
    return Scope(project_id, component_id, purpose=PURPOSE)


def consumer_scope(component_id: str) -> Scope:
    return scope_of(NO_PROJECT, component_id)


def seal(cipher: Cipher, value: str, scope: Scope) -> str:
    """Encrypt it. A cipher for the component and project, as the encryption service makes them, is encrypted again for
    the broker; any other cipher is kept."""
    if not is_cipher(value):
        return cipher.encrypt_text(value, scope)
    bound = cipher.encrypt({_KEY: value}, scope)[_KEY]
    return bound if cipher.opens({_KEY: bound}, scope) else cipher.encrypt_text(_open(cipher, bound, scope), scope)


def unseal(cipher: Cipher, value: str, scope: Scope, path: str) -> str:
    """Raises UnreadableSecret, which names the path, for a cipher of another scope."""
    return str(cipher.decrypt({_KEY: value}, scope, path)[_KEY])


def _open(cipher: Cipher, value: str, scope: Scope) -> str:
    """What a configuration of the component without hosts could decrypt; the cipher itself if that is not possible."""
    try:
        return unseal(cipher, value, Scope(scope.project_id, scope.component_id), _KEY)
    except UnreadableSecret:
        return value
