"""Ciphers that Storage keeps as their client made them: clients read back what they wrote, and nobody else gains."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from penstock.components.catalogue import find_component
from penstock.foundation.secrets import Scope, UnreadableSecret
from penstock.server.keys import rotate_keys
from penstock.services.encryption.interface import bindings
from penstock.services.queue import interface as queue
from penstock.services.queue.variables.errors import ValuesUnreadable
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.encryption.test_binding import CANARY, COMPONENT, CONFIGS, EVIL, HOST, document, encrypt, save
from tests.unit.services.fill import first_project
from tests.unit.services.queue.own_components import add_component, run

VARIABLES = "/v2/storage/components/keboola.variables/configs"
OF_PROJECT = {"projectId": 1}
OF_COMPONENT = {**OF_PROJECT, "componentId": COMPONENT}
LIMITS: list[dict[str, Any]] = [
    {},
    {"componentId": COMPONENT},
    OF_PROJECT,
    OF_COMPONENT,
    {**OF_COMPONENT, "branchType": "default"},
    {**OF_PROJECT, "branchType": "default"},
]
"""Of every kind of cipher that is not for one configuration."""


def decrypt(services: ServicesOnly, content: dict[str, Any], config_id: str = "") -> Any:
    """The password as the component gets it in a job."""
    component, caller = find_component(COMPONENT), first_project(services).caller
    assert component
    opened = queue.open_configuration(services.stack, caller, component, content, config_id=config_id)
    return opened.document["parameters"]["#password"]


def read(storage: Http, path: str) -> dict[str, Any]:
    response = storage.get(path)
    assert response.status == 200, response.text
    return response.json["configuration"]


def test_a_client_reads_back_what_it_wrote(shared: ServicesOnly) -> None:
    """The sequence of Terraform: create, read, compare, update, read, compare."""
    storage = shared.service("storage")
    for number, limits in enumerate(LIMITS):
        plan = document(encrypt(shared, **limits))
        body = {"name": "t", "configurationId": f"terraform-{number}", "configuration": plan}
        assert storage.post(CONFIGS, body).json["configuration"] == plan
        assert read(storage, f"{CONFIGS}/terraform-{number}") == plan
        plan["parameters"]["#second"] = encrypt(shared, **limits)
        changed = storage.put(f"{CONFIGS}/terraform-{number}", {"configuration": plan}).json["configuration"]
        assert changed == plan == read(storage, f"{CONFIGS}/terraform-{number}")
        assert decrypt(shared, plan) == CANARY


def test_files_that_were_pushed_are_the_same_when_they_are_pulled(shared: ServicesOnly) -> None:
    """The sequence of kbc: push a configuration and its rows, pull the project, compare, and push again."""
    storage, limits = shared.service("storage"), {**OF_COMPONENT, "configId": "git"}
    main, row = document(encrypt(shared, **limits)), {"parameters": {"#password": encrypt(shared, **limits)}}
    processor = {"definition": {"component": "p.one"}, "parameters": {"#a": encrypt(shared, projectId=1)}}
    main["processors"] = {"after": [processor]}
    save(storage, "git", main)
    for _ in range(2):
        assert storage.put(f"{CONFIGS}/git", {"configuration": main}).status == 200
        storage.post(f"{CONFIGS}/git/rows", {"rowId": "r", "name": "r", "configuration": row})
        pulled = storage.get("/v2/storage/components?include=configuration,rows").json
        found = next(each for each in pulled if each["id"] == COMPONENT)["configurations"]
        config = next(each for each in found if each["id"] == "git")
        assert (config["configuration"], config["rows"][0]["configuration"]) == (main, row)


@pytest.mark.parametrize("limits", LIMITS)
def test_a_cipher_that_was_read_in_a_configuration_opens_for_its_hosts_only(
    shared: ServicesOnly, limits: dict[str, Any]
) -> None:
    storage, vault = shared.service("storage"), shared.service("vault")
    cipher = encrypt(shared, **limits)
    name = f"victim-{LIMITS.index(limits)}"
    save(storage, name, document(cipher))

    evil = document(cipher, EVIL)
    save(storage, f"{name}-evil", evil)
    assert storage.put(f"{CONFIGS}/{name}", {"configuration": evil}).status == 200
    vault.post("/variables", {"key": name, "value": cipher, "flags": ["encrypted"]})
    vault.post("/variables", {"key": f"{name}-plain", "value": cipher})
    vault.post("/variables", {"key": "evil-url", "value": f"https://{EVIL}/"})
    url = document(cipher)
    url["parameters"]["api"]["baseUrl"] = "{{ vault.evil-url }}"
    job = shared.service("queue").post("/jobs", {"component": COMPONENT, "configData": evil}).json["configData"]
    processors = {**document(cipher), "processors": {"before": [{"definition": {"component": "p.evil"}}]}}
    of_processor = {"definition": {"component": COMPONENT}, "parameters": {"#password": cipher}}
    moved = {**document("x"), "processors": {"after": [of_processor]}}
    hidden, plain = (_save_values(storage, f"{name}-{each}", each, cipher) for each in ("#stolen", "stolen"))

    for attack in (
        evil,
        url,
        job,
        processors,
        moved,
        document(f"{{{{ vault.{name} }}}}", EVIL),
        document(f"{{{{ vault.{name}-plain }}}}", EVIL),
        {**document("{{ #stolen }}", EVIL), "variables_id": hidden, "variables_values_id": "r"},
        {**document("{{ stolen }}", EVIL), "variables_id": plain, "variables_values_id": "r"},
    ):
        with pytest.raises((UnreadableSecret, ValuesUnreadable)):
            decrypt(shared, attack)
    assert decrypt(shared, document(cipher)) == CANARY
    assert job["parameters"]["#password"] != cipher


def _save_values(storage: Http, config_id: str, name: str, value: str) -> str:
    names = {"variables": [{"name": name, "type": "string"}]}
    body = {"name": config_id, "configurationId": config_id, "configuration": names}
    assert storage.post(VARIABLES, body).status == 201
    row = {"rowId": "r", "name": "r", "configuration": {"values": [{"name": name, "value": value}]}}
    assert storage.post(f"{VARIABLES}/{quote(config_id)}/rows", row).status == 201
    return config_id


def test_a_cipher_of_a_configuration_cannot_be_given_to_an_oauth_provider(shared: ServicesOnly) -> None:
    """The broker would send it to an address of the caller, or put it into a configuration with other hosts."""
    cipher = encrypt(shared, **OF_COMPONENT)
    save(shared.service("storage"), "oauth-victim", document(cipher))
    body = {"id": "stolen", "authorizedFor": "x", "#data": cipher, "appKey": "k", "#appSecret": cipher}
    response = shared.service("oauth").post(f"/credentials/{COMPONENT}", body)
    assert response.status == 201, response.text

    attack = {**document("x", EVIL), "authorization": {"oauth_api": {"id": "stolen"}}}
    with pytest.raises(UnreadableSecret):
        decrypt(shared, attack)


def test_a_secret_of_a_state_stays_one(shared: ServicesOnly) -> None:
    storage, cipher = shared.service("storage"), encrypt(shared, **OF_PROJECT)
    save(storage, "state", document("x"))
    body = {"state": {"component": {"#token": cipher}}}
    assert storage.put(f"{CONFIGS}/state/state", body).json["state"] == body["state"]

    for content in (document(cipher), document(cipher, EVIL)):
        with pytest.raises(UnreadableSecret, match="another purpose"):
            decrypt(shared, content)


def test_a_cipher_opens_where_versions_copies_and_branches_of_its_configuration_have_it(shared: ServicesOnly) -> None:
    storage, content = shared.service("storage"), document(encrypt(shared, **OF_COMPONENT))
    save(storage, "v", content)
    other = document(encrypt(shared, **OF_COMPONENT), "other.example.com")
    storage.put(f"{CONFIGS}/v", {"configuration": other})
    assert decrypt(shared, other) == CANARY

    assert storage.post(f"{CONFIGS}/v/versions/1/rollback", {}).status == 201
    copy = storage.post(f"{CONFIGS}/v/versions/1/create", {"name": "copy"})
    assert copy.status == 201, copy.text
    copied = read(storage, f"{CONFIGS}/{copy.json['id']}")
    job = storage.post("/v2/storage/dev-branches", {"name": "bindings"}).json
    branch = storage.get(f"/v2/storage/jobs/{job['id']}").json["results"]["id"]
    branched = read(storage, CONFIGS.replace("/v2/storage/", f"/v2/storage/branch/{branch}/") + "/v")
    for found in (read(storage, f"{CONFIGS}/v"), copied, branched):
        assert found == content
        assert decrypt(shared, found) == CANARY


def test_a_binding_outlives_its_configuration(shared: ServicesOnly) -> None:
    storage, cipher = shared.service("storage"), encrypt(shared, **OF_COMPONENT)
    save(storage, "gone", document(cipher))
    for _ in ("to the trash", "for ever"):
        assert storage.send("DELETE", f"{CONFIGS}/gone").status == 204
    save(storage, "again", document(cipher, EVIL))

    with pytest.raises(UnreadableSecret, match="other hosts"):
        decrypt(shared, document(cipher, EVIL))
    assert decrypt(shared, document(cipher)) == CANARY


@pytest.mark.parametrize("is_of_client", [True, False])
def test_a_secret_of_the_vault_stays_for_any_host_when_a_configuration_has_it(
    shared: ServicesOnly, is_of_client: bool
) -> None:
    storage, vault, key = shared.service("storage"), shared.service("vault"), f"any-host-{is_of_client}"
    value = encrypt(shared, **OF_PROJECT) if is_of_client else CANARY
    made = vault.post("/variables", {"key": key, "value": value, "flags": ["encrypted"]})
    assert made.status == 201, made.text
    save(storage, key, document(made.json["value"]))

    for host in (HOST, "other.example.com"):
        assert decrypt(shared, document(f"{{{{ vault.{key} }}}}", host)) == CANARY


def test_a_rotation_of_keys_changes_no_binding(services: ServicesOnly) -> None:
    storage, cipher = services.service("storage"), encrypt(services, **OF_COMPONENT)
    save(storage, "rotated", document(cipher))
    rotate_keys(services.stack.settings)
    wrapped = read(storage, f"{CONFIGS}/rotated")["parameters"]["#password"]

    assert wrapped != cipher
    for text in (wrapped, cipher):
        save(storage, f"evil-{text == cipher}", document(text, EVIL))
        assert decrypt(services, document(text)) == CANARY
        with pytest.raises(UnreadableSecret, match="other hosts"):
            decrypt(services, document(text, EVIL))


def test_a_component_cannot_write_a_cipher_of_a_configuration_into_its_state(
    services: ServicesOnly, tmp_path: Path
) -> None:
    """There it would get it decrypted in its next run, beside whatever host its configuration then has."""
    own, cipher = "own.state", encrypt(services, componentId="own.state", projectId=1)
    path = f"/v2/storage/components/{own}/configs"
    add_component(services, tmp_path, own, f'(out / "state.json").write_text(json.dumps({{"#token": "{cipher}"}}))')
    storage = services.service("storage")
    save(storage, "victim", document(cipher), path)
    save(storage, "writes", {"parameters": {"#password": "x"}}, path)
    job = run(services, own, config="writes")
    assert job["status"] == "success", job["result"]

    state = storage.get(f"{path}/writes").json["state"]["component"]
    assert state["#token"] != cipher
    scope = Scope(1, own, purpose="state", config_id="writes", branch_type="default")
    assert not services.stack.cipher.opens(state, scope, bindings.to_open_later(services.stack.database))
