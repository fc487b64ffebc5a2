"""Secrets in configurations: encrypted before anything is stored, and decrypted in one place only."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from penstock.foundation.secrets import PREFIX, Scope, UnreadableSecret
from tests.support.stacks import ServicesOnly
from tests.unit.services.storage.configurations.making import CONFIGS, changed, created

CANARY = "canary-5f0c9e"


SECRETS: dict[str, Any] = {
    "#password": CANARY,
    "#number": 81726354,
    "#list": [CANARY, [CANARY]],
    "nested": [{"deeper": {"#token": f"x{CANARY}x", "plain": "stays"}}],
    "#object": {"#inside": CANARY, "plain": "stays"},
    "#": CANARY,
}


def test_secrets_are_encrypted_before_anything_is_written(services: ServicesOnly) -> None:
    as_text = json.dumps(SECRETS)
    made = created(services, configurationId="a", configuration=SECRETS, state={"component": SECRETS})
    also = created(services, configurationId="b", configuration=as_text, state=as_text)
    responses = [services.service("storage").get(path).text for path in everything(made, also)]
    services.service("queue").post("/jobs", {"component": "ex-generic-v2", "configData": SECRETS})

    assert made["configuration"]["#password"].startswith(PREFIX)
    assert made["configuration"]["nested"][0]["deeper"]["plain"] == "stays"
    assert not any(secret in text for text in [json.dumps([made, also]), *responses] for secret in (CANARY, "81726354"))
    services.stack.database.close()
    assert [path for path in files(services.stack.folder) if CANARY.encode() in path.read_bytes()] == []
    assert [path for path in files(services.stack.folder) if b"81726354" in path.read_bytes()] == []


def everything(*configurations: dict[str, Any]) -> Iterator[str]:
    yield from (CONFIGS, "/v2/storage/components?include=configuration,rows,state", "/v2/storage/events?limit=10000")
    yield from (f"{CONFIGS}/{configuration['id']}" for configuration in configurations)


def files(folder: Path) -> Iterator[Path]:
    yield from (path for path in folder.rglob("*") if path.is_file())


def test_a_secret_opens_in_its_project_and_component_only(services: ServicesOnly) -> None:
    document = created(services, configuration={"#password": CANARY})["configuration"]
    cipher, project = services.stack.cipher, services.project.id

    assert cipher.decrypt(document, Scope(project, "ex-generic-v2")) == {"#password": CANARY}
    for scope in (Scope(project + 1, "ex-generic-v2"), Scope(project, "keboola.other")):
        with pytest.raises(UnreadableSecret, match="#password"):
            cipher.decrypt(document, scope)


def test_a_secret_of_an_alias_opens_for_the_component(services: ServicesOnly) -> None:
    path = "/v2/storage/components/keboola.ex-generic-v2/configs"
    made = services.service("storage").post(path, {"name": "x", "configuration": {"#a": CANARY}}).json

    opened = services.stack.cipher.decrypt(made["configuration"], Scope(services.project.id, "ex-generic-v2"))
    assert opened == {"#a": CANARY}


@pytest.mark.parametrize(
    "value", [f"{PREFIX}abc", "KBC::ProjectSecureKV::abc", "KBC::ComponentSecure::x", "{{ vault.password }}"]
)
def test_what_is_sealed_already_stays_as_it_is(shared: ServicesOnly, value: str) -> None:
    assert created(shared, configuration={"#a": value})["configuration"] == {"#a": value}


def test_a_changed_secret_is_encrypted_and_a_cipher_stays_as_sent(services: ServicesOnly) -> None:
    made = created(services, configurationId="mine", configuration={"#a": CANARY})
    cipher = made["configuration"]["#a"]
    after = changed(services, "mine", configuration={"#a": cipher, "#b": CANARY}, state={"#c": CANARY})

    assert after["configuration"]["#a"] == cipher
    assert after["configuration"]["#b"].startswith(PREFIX)
    assert CANARY not in services.service("storage").get(f"{CONFIGS}/mine/versions?include=configuration").text
    services.stack.database.close()
    assert [path for path in files(services.stack.folder) if CANARY.encode() in path.read_bytes()] == []
