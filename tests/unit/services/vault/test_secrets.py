"""Encrypted variables: never returned in plain text, and decrypted only in their own project."""

from __future__ import annotations

from typing import Any

import pytest

from penstock.foundation.secrets import PREFIX, WIDE_PREFIX, Scope, UnreadableSecret
from penstock.services.vault import interface
from tests.support.contents import read_folder
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import Project, add_project, first_project

CANARY = "canary-5f1e9c"


def put(services: ServicesOnly, key: str, value: str, **rest: Any) -> dict[str, Any]:
    response = services.service("vault").post(
        "/variables", {"key": key, "value": value, "flags": ["encrypted"], **rest}
    )
    assert response.status == 201, response.text
    return response.json


def opened(services: ServicesOnly, cipher: str, project: Project, component: str = "ex-generic-v2") -> str:
    scope = Scope(project.caller.project_id, component, "api.example.com")
    return services.stack.cipher.decrypt({"#value": cipher}, scope)["#value"]


def test_an_encrypted_value_is_never_returned(shared: ServicesOnly) -> None:
    made = put(shared, "password", CANARY)
    vault = shared.service("vault")
    paths = ("/variables", "/variables/scoped/branch/default", "/variables/merged/branch?branchId=default")
    responses = [vault.get(path).json for path in paths]

    assert all(response == [made] for response in responses)
    assert made["value"].startswith(WIDE_PREFIX)
    assert CANARY not in str(made)
    assert opened(shared, made["value"], first_project(shared)) == CANARY
    assert opened(shared, made["value"], first_project(shared), "another-component") == CANARY


def test_nothing_on_disk_holds_the_secret(services: ServicesOnly) -> None:
    put(services, "password", CANARY)
    put(services, "password", f"{CANARY}-changed")
    files = read_folder(services.stack.folder)

    assert any(b"vault_variables" in content for content in files.values())
    assert [path for path, content in files.items() if CANARY.encode() in content] == []


@pytest.mark.parametrize("plain", ["{{ looks.like.a.placeholder }}", "", "KBC::hello", 'quote " and ü'])
def test_any_text_can_be_a_secret(shared: ServicesOnly, plain: str) -> None:
    made = put(shared, "password", plain)

    assert made["value"].startswith(WIDE_PREFIX)
    assert opened(shared, made["value"], first_project(shared)) == plain


@pytest.mark.parametrize("cipher", [f"{PREFIX}abc", f"{WIDE_PREFIX}abc", "KBC::ComponentSecureKV::abc"])
def test_a_cipher_is_kept_as_it_is(shared: ServicesOnly, cipher: str) -> None:
    assert put(shared, "password", cipher)["value"] == cipher


def test_a_secret_of_another_project_does_not_open(shared: ServicesOnly) -> None:
    other = add_project(shared)
    stolen = put(shared, "password", CANARY)["value"]

    with pytest.raises(UnreadableSecret):
        opened(shared, stolen, other)


def test_a_secret_of_the_project_is_none_of_a_component(shared: ServicesOnly) -> None:
    """Nor the other way round: the scope is in the cipher, not in its first word."""
    project = first_project(shared)
    scope = Scope(project.caller.project_id, "ex-generic-v2", "api.example.com")
    narrow = shared.stack.cipher.encrypt_text(CANARY, scope)

    with pytest.raises(UnreadableSecret):
        opened(shared, narrow.replace(PREFIX, WIDE_PREFIX), project)
    with pytest.raises(UnreadableSecret):
        opened(shared, put(shared, "password", CANARY)["value"].replace(WIDE_PREFIX, PREFIX), project)


def test_other_services_get_each_key_once_with_its_secret_still_sealed(services: ServicesOnly) -> None:
    put(services, "password", CANARY)
    put(services, "pasted", f"{PREFIX}abc", flags=[])
    put(services, "host", "of a stage", flags=[], attributes={"stage": "in"})
    put(services, "host", "of all", flags=[])
    put(services, "port", "of all", flags=[])
    put(services, "port", "of the branch", flags=[], attributes={"branchId": "7"})
    with services.stack.database.reading() as tx:
        found = {each.key: each for each in interface.list_scoped(tx, first_project(services).caller, 7)}

    assert opened(services, found["password"].value, first_project(services)) == CANARY
    assert found["pasted"].value == f"{PREFIX}abc"
    assert found["host"].value == "of all"
    assert found["port"].value == "of the branch"
