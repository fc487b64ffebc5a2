"""After a rotation, ciphers are wrapped by the newest key, wherever they stand, and stay what they were."""

from __future__ import annotations

import base64
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from hypothesis import given
from hypothesis import strategies as st

from penstock.foundation.secrets import PREFIX, Cipher, KeyRing, Scope, UnreadableSecret
from penstock.foundation.secrets.envelope import UNMARKED
from penstock.foundation.secrets.rewrapping import find_root_keys, rewrap

OLD, NEW = bytes(range(32)), bytes(range(1, 33))
BOTH = KeyRing([NEW, OLD])
HERE = Scope(1, "ex-generic-v2", "api.example.com")


def without_label() -> str:
    """A cipher as they were made before there were rings."""
    sealed = AESGCM(OLD).encrypt(bytes(12), b'"plain"', HERE.associated)
    return PREFIX + base64.b64encode(bytes(12) + sealed).decode()


def decrypted(key: bytes, value: str, scope: Scope = HERE) -> Any:
    return Cipher(key).decrypt({"#a": value}, scope)["#a"]


def stored_again(made: str) -> str:
    return Cipher(BOTH).encrypt({"#a": made}, HERE)["#a"]


@pytest.mark.parametrize(
    ("made", "change"),
    [
        (Cipher(OLD).encrypt({"#a": "plain"}, HERE)["#a"], partial(rewrap, BOTH)),
        (Cipher(OLD).encrypt({"#a": "plain"}, HERE)["#a"], stored_again),
        (Cipher(OLD).encrypt({"#a": "plain"}, HERE)["#a"], partial(Cipher(BOTH).encrypt_text, scope=HERE)),
        (without_label(), stored_again),
    ],
)
def test_a_cipher_needs_only_the_newest_key_afterwards(made: str, change: Callable[[str], str]) -> None:
    changed = change(made)

    assert decrypted(NEW, changed) == "plain"
    assert change(changed) == changed
    assert rewrap(BOTH, changed) is changed
    assert find_root_keys(BOTH, {"a": [changed]}) == {BOTH.current.id}
    with pytest.raises(UnreadableSecret):
        decrypted(NEW, changed, Scope(2, "ex-generic-v2", "api.example.com"))
    with pytest.raises(UnreadableSecret):
        decrypted(NEW, changed, Scope(1, "ex-generic-v2", "evil.example.com"))


@given(st.text(max_size=20), st.text(max_size=20))
def test_the_text_around_a_cipher_stays(before: str, after: str) -> None:
    made = Cipher(OLD).encrypt({"#a": "plain"}, HERE)["#a"]
    text = f'{before}"{made}"{after}'
    changed = rewrap(BOTH, text)

    assert changed.startswith(f'{before}"{PREFIX}')
    assert changed.endswith(f'"{after}')
    assert decrypted(NEW, changed[len(before) + 1 : len(changed) - len(after) - 1]) == "plain"
    assert rewrap(BOTH, text.encode()) != text.encode()


def test_documents_are_searched_at_any_depth() -> None:
    made = Cipher(OLD).encrypt({"list": [{"#a": "plain"}], "b": 1}, HERE)

    assert Cipher(NEW).decrypt(rewrap(BOTH, made), HERE) == {"list": [{"#a": "plain"}], "b": 1}


@pytest.mark.parametrize(
    "value",
    [
        None,
        1,
        "",
        "text",
        b"\xff\x00",
        {"a": 1},
        f"{PREFIX}abc",
        f"{PREFIX}!!!",
        "KBC::ProjectSecureKV::" + "A" * 80,
        Cipher(bytes(32)).encrypt({"#a": "of another stack"}, HERE),
        Cipher(NEW).encrypt({"#a": "already"}, HERE)["#a"],
        without_label(),
        f"{PREFIX}{'A' * 80}",
    ],
)
def test_what_cannot_or_need_not_be_wrapped_stays_the_same_object(value: Any) -> None:
    assert rewrap(BOTH, value) is value


@pytest.mark.parametrize("elsewhere", [Scope(2, "ex-generic-v2", "api.example.com"), Scope(1, "ex-generic-v2", "evil")])
def test_a_cipher_without_a_mark_that_does_not_open_where_it_is_stored_is_kept(elsewhere: Scope) -> None:
    made = {"#a": without_label()}

    assert Cipher(BOTH).encrypt(made, elsewhere) == made
    assert find_root_keys(BOTH, made) == {UNMARKED}
