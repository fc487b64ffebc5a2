"""A cipher that is kept as it is, with its binding recorded, opens exactly where one with its binding inside does."""

from __future__ import annotations

import base64
from collections.abc import Collection, Mapping
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.foundation.secrets import Bindings, Cipher, KeyRing, Label, Recorded, Scope, UnreadableSecret, digest_of
from penstock.foundation.secrets.rewrapping import rewrap
from penstock.foundation.secrets.scopes import KINDS

OLD, NEW = bytes(range(32)), bytes(range(1, 33))
CIPHER = Cipher(OLD)
LIMITS = {"project_id": "1", "component_id": "ex-generic-v2", "config_id": "7", "branch_type": "default"}
HERE = Scope(1, "ex-generic-v2", "api.example.com", "p.one", config_id="7", branch_type="default")
TRUSTED = frozenset({"eu.example.com"})


class Records:
    """Bindings that are recorded in memory."""

    def __init__(self, trusted: frozenset[str] = frozenset()) -> None:
        self.labels: Recorded = {}
        self.bindings = Bindings(find=self.find, add=self.add, trusted=lambda: trusted)

    def find(self, digests: Collection[str]) -> Recorded:
        return {digest: self.labels[digest] for digest in digests if digest in self.labels}

    def add(self, labels: Mapping[str, Label]) -> None:
        for digest, label in labels.items():
            self.labels.setdefault(digest, []).append(label)


def unbound(kind: str) -> dict[str, Any]:
    return CIPHER.encrypt_unbound({"#a": "secret"}, Label.of(**{name: LIMITS[name] for name in KINDS[kind]}))


scopes = st.builds(
    Scope,
    project_id=st.sampled_from([1, 2]),
    component_id=st.sampled_from(["ex-generic-v2", "other"]),
    hosts=st.sampled_from(["api.example.com", "evil.example.com", ""]),
    processors=st.sampled_from(["", "p.one"]),
    purpose=st.sampled_from(["", "state"]),
    config_id=st.sampled_from(["7", "8"]),
    branch_type=st.sampled_from(["default", "dev"]),
)


@given(st.sampled_from(list(KINDS)), scopes, st.lists(scopes, max_size=4), scopes)
def test_what_is_recorded_guards_as_what_is_inside(kind: str, first: Scope, later: list[Scope], there: Scope) -> None:
    """However often it is stored after the first time."""
    made, records = unbound(kind), Records()
    inside = CIPHER.encrypt(made, first)
    for scope in (first, *later):
        assert CIPHER.encrypt(made, scope, records.bindings) == made

    assert CIPHER.opens(made, there, records.bindings) == CIPHER.opens(inside, there)


@given(st.sampled_from(list(KINDS)), scopes, scopes, scopes)
def test_a_stored_cipher_that_is_encrypted_again_elsewhere_takes_its_binding_along(
    kind: str, first: Scope, second: Scope, there: Scope
) -> None:
    made, records = unbound(kind), Records()
    inside = CIPHER.encrypt(made, first)
    CIPHER.encrypt(made, first, records.bindings)
    sealed = CIPHER.encrypt(made, second, Bindings(find=records.find))

    assert CIPHER.opens(sealed, there) == CIPHER.opens(inside, there)


@pytest.mark.parametrize("kind", KINDS)
def test_a_trusted_host_is_recorded_beside_the_first(kind: str) -> None:
    made, records = unbound(kind), Records(TRUSTED)
    moved, evil = (msgspec.structs.replace(HERE, hosts=f"{each}.example.com") for each in ("eu", "evil"))
    for scope in (HERE, moved, evil):
        assert CIPHER.encrypt(made, scope, records.bindings) == made

    for scope in (HERE, moved):
        assert CIPHER.decrypt(made, scope, bindings=records.bindings) == {"#a": "secret"}
    with pytest.raises(UnreadableSecret, match="other hosts"):
        CIPHER.decrypt(made, evil, bindings=records.bindings)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if "component_id" not in KINDS[kind]])
def test_what_is_recorded_as_not_bound_stays_so(kind: str) -> None:
    made, records = unbound(kind), Records()
    records.add({digest_of(made["#a"]) or "": Label(kind=kind)})
    assert CIPHER.encrypt(made, HERE, records.bindings) == made

    for host in ("api.example.com", "other.example.com"):
        assert CIPHER.opens(made, msgspec.structs.replace(HERE, hosts=host), records.bindings)
    sealed = CIPHER.encrypt(made, HERE, Bindings(find=records.find))
    assert CIPHER.opens(sealed, HERE)
    assert not CIPHER.opens(sealed, msgspec.structs.replace(HERE, hosts="evil.example.com"))


def test_a_digest_is_of_the_content_whichever_key_wraps_it() -> None:
    cipher = unbound("ProjectSecure")["#a"]
    ring = KeyRing([NEW, OLD])

    assert rewrap(ring, cipher) != cipher
    assert digest_of(rewrap(ring, cipher)) == digest_of(cipher)
    assert digest_of(unbound("ProjectSecure")["#a"]) != digest_of(cipher)


@given(
    st.text()
    | st.text().map("KBC::ProjectSecure::".__add__)
    | st.binary().map(lambda each: base64.b64encode(each).decode()).map("KBC::Secure::PENSTOCK".__add__)
)
def test_no_text_breaks_a_digest(text: str) -> None:
    assert digest_of(text) is None or len(digest_of(text) or "") == 64
    assert CIPHER.encrypt({"#a": f"KBC::Secure::{text}"}, HERE, Records().bindings) == {"#a": f"KBC::Secure::{text}"}


def test_an_altered_cipher_gets_no_binding() -> None:
    made, records = unbound("ProjectSecure"), Records()
    text: str = made["#a"]
    altered = {"#a": text[:-8] + ("A" if text[-8] != "A" else "B") + text[-7:]}

    assert CIPHER.encrypt(altered, HERE, records.bindings) == altered
    assert not records.labels
