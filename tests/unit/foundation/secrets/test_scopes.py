"""Kinds of ciphers: each is limited to what its name says, and binding one never widens that."""

from __future__ import annotations

from contextlib import suppress
from itertools import product
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.foundation.secrets import Bindings, Cipher, Label, Scope, UnknownKind, UnreadableSecret
from penstock.foundation.secrets.scopes import KINDS, MAX_LENGTH, prefix_of

CIPHER = Cipher(bytes(range(32)))
LIMITS = {"project_id": "1", "component_id": "ex-generic-v2", "config_id": "7", "branch_type": "default"}
HERE = Scope(1, "ex-generic-v2", "api.example.com", "p.one", config_id="7", branch_type="default")
ELSEWHERE = {"project_id": 2, "component_id": "other", "config_id": "8", "branch_type": "dev"}
PROBLEMS = {
    "project_id": "another project",
    "component_id": "another component",
    "config_id": "another configuration",
    "branch_type": "another kind of branch",
}


def label_of(kind: str) -> Label:
    return Label.of(**{name: LIMITS[name] for name in KINDS[kind]})


def unbound(kind: str, value: Any = "secret") -> dict[str, Any]:
    return CIPHER.encrypt_unbound({"#a": value}, label_of(kind))


@pytest.mark.parametrize("kind", KINDS)
def test_a_cipher_of_each_kind_is_decrypted_where_it_was_stored(kind: str) -> None:
    made = unbound(kind)
    stored = CIPHER.encrypt(made, HERE)

    assert made["#a"].startswith(prefix_of(kind))
    assert stored["#a"].startswith(prefix_of(kind))
    assert stored != made
    assert CIPHER.encrypt(stored, HERE) == stored
    assert CIPHER.decrypt(stored, HERE) == {"#a": "secret"}


@pytest.mark.parametrize(("kind", "limit"), [(kind, limit) for kind in KINDS for limit in sorted(KINDS[kind])])
def test_a_cipher_is_not_decrypted_where_something_it_is_limited_to_differs(kind: str, limit: str) -> None:
    there = msgspec.structs.replace(HERE, **{limit: ELSEWHERE[limit]})

    for stored in (CIPHER.encrypt(unbound(kind), HERE), CIPHER.encrypt(unbound(kind), there)):
        with pytest.raises(UnreadableSecret, match=PROBLEMS[limit]):
            CIPHER.decrypt(stored, there)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("field", "value"), [("hosts", "evil.example.com"), ("processors", "p.two")])
def test_once_stored_it_is_bound_to_hosts_and_processors(kind: str, field: str, value: str) -> None:
    stored = CIPHER.encrypt(unbound(kind), HERE)
    moved = msgspec.structs.replace(HERE, **{field: value})

    assert CIPHER.encrypt(stored, moved) == stored
    with pytest.raises(UnreadableSecret, match=field):
        CIPHER.decrypt(stored, moved)


@given(st.sampled_from(list(KINDS)), st.lists(st.sampled_from(list(ELSEWHERE)), max_size=4), st.booleans())
def test_storing_a_cipher_anywhere_lets_nobody_decrypt_it_where_it_could_not_be(
    kind: str, changes: list[str], has_evil_host: bool
) -> None:
    """No way of storing is an oracle: what comes of it is limited as before, and to hosts besides."""
    there = msgspec.structs.replace(HERE, **{name: ELSEWHERE[name] for name in changes})
    there = msgspec.structs.replace(there, hosts="evil.example.com") if has_evil_host else there
    stored = CIPHER.encrypt(unbound(kind), there)

    for names in product((False, True), repeat=4):
        scope = msgspec.structs.replace(
            there, **{name: ELSEWHERE[name] for name, changed in zip(ELSEWHERE, names, strict=True) if changed}
        )
        if label_of(kind).find_problem(scope):
            assert not CIPHER.opens(stored, scope)
        assert not CIPHER.opens(stored, msgspec.structs.replace(scope, hosts="third.example.com"))


@pytest.mark.parametrize("kind", [kind for kind in KINDS if "component_id" in KINDS[kind]])
def test_what_is_limited_to_a_component_is_not_decrypted_before_it_is_bound(kind: str) -> None:
    with pytest.raises(UnreadableSecret, match="no host"):
        CIPHER.decrypt(unbound(kind), HERE)


@pytest.mark.parametrize("other", KINDS)
def test_another_prefix_makes_a_cipher_useless(other: str) -> None:
    for kind in KINDS.keys() - {other}:
        for made in (unbound(kind), CIPHER.encrypt(unbound(kind), HERE)):
            renamed = {"#a": made["#a"].replace(prefix_of(kind), prefix_of(other))}
            assert CIPHER.encrypt(renamed, HERE) == renamed
            assert not CIPHER.opens(renamed, HERE)


def test_only_eight_combinations_of_limits_have_a_kind() -> None:
    found = dict[str, list[str]]()
    for names in product((False, True), repeat=4):
        given = {name: LIMITS[name] for name, wanted in zip(LIMITS, names, strict=True) if wanted}
        with suppress(UnknownKind):
            found[Label.of(**given).kind] = sorted(given)

    assert found == {kind: sorted(limits) for kind, limits in KINDS.items()}


def test_secrets_move_to_hosts_that_the_project_trusts_and_to_no_others() -> None:
    stored = CIPHER.encrypt({"#a": "secret"}, HERE)
    moved = msgspec.structs.replace(HERE, hosts="api.example.com eu.example.com")
    trusted = frozenset({"eu.example.com"})

    assert CIPHER.decrypt(CIPHER.encrypt(stored, moved, Bindings(trusted=lambda: trusted)), moved) == {"#a": "secret"}
    for scope in (
        msgspec.structs.replace(moved, hosts="eu.example.com evil.example.com"),
        msgspec.structs.replace(moved, hosts="eu.example.com "),
        msgspec.structs.replace(moved, component_id="other"),
        msgspec.structs.replace(moved, project_id=2),
        msgspec.structs.replace(moved, processors=""),
    ):
        assert CIPHER.encrypt(stored, scope, Bindings(trusted=lambda: trusted)) == stored


def test_many_hosts_make_a_cipher_no_longer_than_few() -> None:
    hosts = " ".join(f"h{number}.example.com" for number in range(10_000))
    scope = msgspec.structs.replace(HERE, hosts=hosts)
    stored = CIPHER.encrypt({"#a": "secret"}, scope)

    assert len(stored["#a"]) < MAX_LENGTH
    assert CIPHER.decrypt(stored, scope) == {"#a": "secret"}
    assert not CIPHER.opens(stored, msgspec.structs.replace(scope, hosts=f"{hosts} evil.example.com"))
