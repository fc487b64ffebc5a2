"""Secrets in the state of a component: bound to being state, also those that were not yet."""

from __future__ import annotations

import pytest

from penstock.components.sealing import open_state, seal_state
from penstock.foundation.secrets import Cipher, Scope, UnreadableSecret

CIPHER, HERE = Cipher(bytes(32)), Scope(1, "ex-generic-v2")
STATE = {"#token": "secret", "list": [{"#other": 1}], "page": 2}


def test_a_state_is_opened_as_a_state_only() -> None:
    sealed = seal_state(CIPHER, STATE, HERE)

    assert open_state(CIPHER, sealed, HERE) == STATE
    with pytest.raises(UnreadableSecret, match="another purpose"):
        CIPHER.decrypt(sealed, HERE)


def test_a_state_from_before_is_opened_also_beside_newer_secrets() -> None:
    mixed = {**CIPHER.encrypt(STATE, HERE), "new": seal_state(CIPHER, STATE, HERE)}

    assert open_state(CIPHER, mixed, HERE) == {**STATE, "new": STATE}


@pytest.mark.parametrize("elsewhere", [Scope(2, "ex-generic-v2"), Scope(1, "ex-generic-v2", "api.example.com")])
def test_a_secret_of_something_else_is_not_opened(elsewhere: Scope) -> None:
    with pytest.raises(UnreadableSecret, match="at `#token`"):
        open_state(CIPHER, CIPHER.encrypt(STATE, elsewhere), HERE)
