"""Ciphers: they can be decrypted, unaltered, in the scope they were encrypted for, and nowhere else."""

from __future__ import annotations

import base64
import os
from typing import Any

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from hypothesis import given, settings
from hypothesis import strategies as st

from penstock.foundation.secrets import (
    NESTING,
    PREFIX,
    WIDE_PREFIX,
    Cipher,
    NestedTooDeep,
    Scope,
    UnreadableSecret,
)

pytestmark = pytest.mark.fuzz

CIPHER = Cipher(bytes(range(32)))
HERE = Scope(1, "ex-generic-v2")

# A text that looks like a cipher is treated as one, so it cannot be a secret that a user enters.
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20).filter(lambda text: not text.startswith("KBC::"))
scalars = texts | st.integers() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False)
keys = texts | texts.map(lambda text: f"#{text}")
documents = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=4), max_leaves=12
)


@settings(deadline=None)
@given(documents)
def test_what_was_encrypted_opens_again(document: Any) -> None:
    assert CIPHER.decrypt(CIPHER.encrypt(document, HERE), HERE) == document


def test_a_cipher_from_before_processors_counted_still_opens() -> None:
    associated = b'{"project_id":1,"component_id":"ex-generic-v2","hosts":"api.example.com"}'
    nonce = bytes(12)
    sealed = nonce + AESGCM(bytes(range(32))).encrypt(nonce, b'"plain"', associated)
    stored = {"#key": PREFIX + base64.b64encode(sealed).decode()}

    assert CIPHER.decrypt(stored, Scope(1, "ex-generic-v2", "api.example.com")) == {"#key": "plain"}


@settings(deadline=None)
@given(documents)
def test_encrypting_twice_is_encrypting_once(document: Any) -> None:
    sealed = CIPHER.encrypt(document, HERE)

    assert CIPHER.encrypt(sealed, HERE) == sealed


@settings(deadline=None)
@given(documents)
def test_nothing_under_a_secret_key_stays_readable(document: Any) -> None:
    def check(node: Any, secret: bool) -> None:
        if isinstance(node, dict):
            for key, value in node.items():
                check(value, secret or key.startswith("#"))
        elif isinstance(node, list):
            for value in node:
                check(value, secret)
        else:
            assert not secret or node.startswith(PREFIX)

    check(CIPHER.encrypt(document, HERE), False)


def test_what_is_not_secret_stays_as_it_is_and_in_order() -> None:
    document: dict[str, Any] = {"z": 1, "#a": "x", "b": [{"c#": "y"}], "": None}
    sealed = CIPHER.encrypt(document, HERE)

    assert list(sealed) == list(document)
    assert {key: value for key, value in sealed.items() if key != "#a"} == {"z": 1, "b": [{"c#": "y"}], "": None}


def test_nothing_counts_as_the_empty_text() -> None:
    assert CIPHER.decrypt(CIPHER.encrypt({"#a": None}, HERE), HERE) == {"#a": ""}


def test_one_secret_never_looks_the_same_twice() -> None:
    assert len({CIPHER.encrypt({"#a": "x"}, HERE)["#a"] for _ in range(100)}) == 100


@pytest.mark.parametrize(
    "scope", [Scope(2, "ex-generic-v2"), Scope(1, "other"), Scope(11, "ex-generic-v2"), Scope(1, "")]
)
def test_a_cipher_does_not_open_elsewhere(scope: Scope) -> None:
    sealed = CIPHER.encrypt({"parameters": {"#password": "x"}}, HERE)

    with pytest.raises(UnreadableSecret, match=r"parameters\.#password"):
        CIPHER.decrypt(sealed, scope)


def test_a_cipher_does_not_open_with_another_key() -> None:
    with pytest.raises(UnreadableSecret):
        Cipher(os.urandom(32)).decrypt(CIPHER.encrypt({"#a": "x"}, HERE), HERE)


@settings(deadline=None)
@given(st.data())
def test_an_altered_cipher_does_not_open(data: st.DataObject) -> None:
    raw = bytearray(base64.b64decode(CIPHER.encrypt({"#a": "secret"}, HERE)["#a"].removeprefix(PREFIX)))
    raw[data.draw(st.integers(0, len(raw) - 1))] ^= data.draw(st.integers(1, 255))
    altered = {"#a": PREFIX + base64.b64encode(bytes(raw)).decode()}

    with pytest.raises(UnreadableSecret):
        CIPHER.decrypt(altered, HERE)


@pytest.mark.parametrize("tail", ["", "a", "!!!", "AAAA", "ž", base64.b64encode(b"x" * 12).decode()])
def test_a_text_that_is_not_a_cipher_cannot_be_decrypted(tail: str) -> None:
    with pytest.raises(UnreadableSecret):
        CIPHER.decrypt({"#a": PREFIX + tail}, HERE)


def test_the_message_about_a_cipher_does_not_contain_it() -> None:
    sealed = CIPHER.encrypt({"#a": "x"}, HERE)
    with pytest.raises(UnreadableSecret) as caught:
        CIPHER.decrypt(sealed, Scope(9, "x"))

    assert sealed["#a"] not in caught.value.message


def test_a_document_has_a_limit_to_its_depth() -> None:
    def nested(depth: int) -> Any:
        return {"a": nested(depth - 1)} if depth else 1

    CIPHER.encrypt(nested(NESTING), HERE)
    with pytest.raises(NestedTooDeep):
        CIPHER.encrypt(nested(NESTING + 1), HERE)


@given(st.lists(texts, max_size=3), st.lists(texts, max_size=3))
def test_a_signature_is_of_these_words_and_of_no_others(some: list[str], others: list[str]) -> None:
    assert (CIPHER.sign(*some) == CIPHER.sign(*others)) == (some == others)
    assert CIPHER.sign(*some) != Cipher(bytes(32)).sign(*some)
    assert set(CIPHER.sign(*some)) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")


@given(texts, st.integers(1, 9), st.sampled_from(["ex-generic-v2", "other"]), texts)
def test_a_secret_of_a_project_opens_for_its_components_and_no_other_project(
    text: str, project: int, component: str, hosts: str
) -> None:
    sealed = {"#value": CIPHER.encrypt_text(text, Scope(project))}

    assert sealed["#value"].startswith(WIDE_PREFIX)
    assert CIPHER.encrypt_text(sealed["#value"], Scope(project)) == sealed["#value"]
    assert CIPHER.decrypt(sealed, Scope(project, component, hosts)) == {"#value": text}
    with pytest.raises(UnreadableSecret):
        CIPHER.decrypt(sealed, Scope(project + 1, component, hosts))
