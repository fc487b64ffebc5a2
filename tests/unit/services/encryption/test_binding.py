"""Ciphers of POST /encrypt in configurations: bound to hosts when they are stored, and useless everywhere else."""

from __future__ import annotations

from typing import Any

import pytest

from penstock.foundation import audit
from penstock.foundation.secrets import Scope, UnreadableSecret
from penstock.server.projects import trust_host
from penstock.services.encryption.interface import bindings
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import Project, add_project, first_project
from tests.unit.services.queue.own_components import claim, execute

COMPONENT, CANARY = "ex-generic-v2", "canary-19ce04"
CONFIGS = f"/v2/storage/components/{COMPONENT}/configs"
HOST, EVIL = "api.example.com", "evil.example.com"


def encrypt(services: ServicesOnly, **limits: Any) -> str:
    query = "&".join(f"{name}={value}" for name, value in limits.items())
    kind = {"Content-Type": "text/plain"}
    response = services.service("encryption").send("POST", f"/encrypt?{query}", CANARY.encode(), kind)
    assert response.status == 200, response.text
    return response.text


def document(cipher: str, host: str = HOST) -> dict[str, Any]:
    return {"parameters": {"api": {"baseUrl": f"https://{host}/"}, "#password": cipher}}


def save(storage: Http, config_id: str, content: dict[str, Any], path: str = CONFIGS) -> str:
    """The cipher as it is stored."""
    body = {"name": config_id, "configurationId": config_id, "configuration": content}
    response = storage.post(path, body)
    assert response.status == 201, response.text
    return response.json["configuration"]["parameters"]["#password"]


def here(services: ServicesOnly, host: str = HOST, **more: Any) -> Scope:
    return Scope(services.project.id, COMPONENT, host, **more)


def opens(services: ServicesOnly, cipher: str, scope: Scope) -> bool:
    return services.stack.cipher.opens({"#a": cipher}, scope, bindings.to_open_later(services.stack.database))


def run(services: ServicesOnly, **wanted: Any) -> dict[str, Any]:
    response = services.service("queue").post("/jobs", {"component": COMPONENT, "mode": "run", **wanted})
    assert response.status == 201, response.text
    return execute(services, claim(services))


def test_a_cipher_is_bound_by_every_way_into_storage_and_kept_as_it_is(shared: ServicesOnly) -> None:
    storage = shared.service("storage")
    given, other = (encrypt(shared, componentId=COMPONENT, projectId=shared.project.id) for _ in range(2))
    created = save(storage, "ways", document(given))
    changed = storage.put(f"{CONFIGS}/ways", {"configuration": document(given)}).json["configuration"]
    row = storage.post(f"{CONFIGS}/ways/rows", {"rowId": "r", "configuration": {"#a": given}}).json["configuration"]
    row_changed = storage.put(f"{CONFIGS}/ways/rows/r", {"configuration": {"#a": given}}).json["configuration"]
    state = storage.put(f"{CONFIGS}/ways/state", {"state": {"#a": other}}).json["state"]
    row_state = storage.put(f"{CONFIGS}/ways/rows/r/state", {"state": {"#a": other}}).json["state"]

    assert {created, changed["parameters"]["#password"], row["#a"], row_changed["#a"]} == {given}
    assert opens(shared, given, here(shared))
    assert not opens(shared, given, here(shared, EVIL))
    assert {state["#a"], row_state["#a"]} == {other}
    assert opens(shared, other, here(shared, "", purpose="state"))
    assert not opens(shared, other, here(shared, ""))
    assert not opens(shared, other, here(shared, EVIL))


def test_a_job_has_its_cipher_with_the_hosts_inside(shared: ServicesOnly) -> None:
    """Whoever reads the job gets one that opens for these hosts only, though no configuration has it."""
    given = encrypt(shared, componentId=COMPONENT, projectId=shared.project.id)
    job = shared.service("queue").post("/jobs", {"component": COMPONENT, "configData": document(given)}).json
    cipher = job["configData"]["parameters"]["#password"]

    assert cipher != given
    assert opens(shared, cipher, here(shared))
    assert not opens(shared, cipher, here(shared, EVIL))


def test_what_storage_returned_can_be_sent_back(shared: ServicesOnly) -> None:
    storage, given = shared.service("storage"), encrypt(shared, componentId=COMPONENT, projectId=shared.project.id)
    stored = save(storage, "back", document(given))
    again = storage.put(f"{CONFIGS}/back", {"configuration": document(stored)}).json["configuration"]

    assert again["parameters"]["#password"] == stored


@pytest.mark.parametrize(
    ("limits", "problem"),
    [
        ({"componentId": COMPONENT, "projectId": 999}, "another project"),
        ({"componentId": "other.component", "projectId": 1}, "another component"),
        ({"componentId": COMPONENT, "projectId": 1, "configId": "elsewhere"}, "another configuration"),
        ({"componentId": COMPONENT, "projectId": 1, "branchType": "dev"}, "another kind of branch"),
        ({"projectId": 1, "branchType": "dev"}, "another kind of branch"),
        ({"projectId": 999}, "another project"),
    ],
)
def test_a_job_with_a_cipher_for_something_else_fails_and_says_why(
    services: ServicesOnly, limits: dict[str, Any], problem: str
) -> None:
    assert services.project.id == 1
    save(services.service("storage"), "moved", document(encrypt(services, **limits)))
    job = run(services, config="moved")

    assert job["status"] == "error"
    assert "parameters.#password" in job["result"]["message"]
    assert f"it was encrypted for {problem}" in job["result"]["message"]


def test_a_cipher_of_another_stack_fails_the_job(services: ServicesOnly) -> None:
    save(services.service("storage"), "foreign", document("KBC::ProjectSecureKV::eJwBYQGe/n"))
    job = run(services, config="foreign")

    assert job["status"] == "error"
    assert "another stack" in job["result"]["message"]


def test_a_cipher_of_a_kind_of_branch_works_there(services: ServicesOnly) -> None:
    storage, cipher = services.service("storage"), services.stack.cipher
    recorded = bindings.to_open_later(services.stack.database)
    limits = {"componentId": COMPONENT, "projectId": services.project.id, "branchType": "dev", "configId": "b"}
    job = storage.post("/v2/storage/dev-branches", {"name": "b"}).json
    branch = storage.get(f"/v2/storage/jobs/{job['id']}").json["results"]["id"]
    path = CONFIGS.replace("/v2/storage/", f"/v2/storage/branch/{branch}/")
    stored = {"#a": save(storage, "b", document(encrypt(services, **limits)), path)}

    there = here(services, config_id="b", branch_type="dev")
    assert cipher.decrypt(stored, there, bindings=recorded) == {"#a": CANARY}
    with pytest.raises(UnreadableSecret, match="another kind of branch"):
        cipher.decrypt(stored, here(services, config_id="b", branch_type="default"), bindings=recorded)


@pytest.mark.parametrize("is_from_encrypt", [True, False])
def test_another_host_asks_for_the_secret_again(services: ServicesOnly, is_from_encrypt: bool) -> None:
    storage = services.service("storage")
    given = encrypt(services, componentId=COMPONENT, projectId=services.project.id) if is_from_encrypt else CANARY
    stored = save(storage, "hosts", document(given))
    moved = storage.put(f"{CONFIGS}/hosts", {"configuration": document(stored, EVIL)}).json["configuration"]
    job = run(services, config="hosts")

    assert moved["parameters"]["#password"] == stored
    assert job["status"] == "error"
    assert "other hosts than the configuration has now" in job["result"]["message"]
    assert CANARY not in str(job)


def test_a_host_that_the_project_trusts_keeps_the_secret(services: ServicesOnly) -> None:
    storage, settings = services.service("storage"), services.stack.settings
    stored = save(storage, "trusting", document(CANARY))
    assert trust_host(settings, "EU.example.com", None, is_trusted=True) == ["eu.example.com"]
    assert trust_host(settings, "us.example.com", None, is_trusted=True) == ["eu.example.com", "us.example.com"]

    def opens_at(host: str) -> bool:
        changed = storage.put(f"{CONFIGS}/trusting", {"configuration": document(stored, host)})
        assert changed.json["configuration"]["parameters"]["#password"] == stored
        return opens(services, stored, here(services, host))

    assert opens_at("eu.example.com")
    assert not opens_at(EVIL)
    assert opens_at(HOST)
    assert trust_host(settings, "us.example.com", None, is_trusted=False) == ["eu.example.com"]
    assert not opens_at("us.example.com")


def test_secrets_of_rows_move_with_their_configuration_to_a_host_that_the_project_trusts(
    services: ServicesOnly,
) -> None:
    storage, settings = services.service("storage"), services.stack.settings
    stored = save(storage, "rows", document(CANARY))
    path = f"{CONFIGS}/rows/rows"
    for row_id, content in (("secret", {"parameters": {"#token": CANARY}}), ("plain", {"parameters": {"a": 1}})):
        assert storage.post(path, {"rowId": row_id, "name": row_id, "configuration": content}).status == 201
    trust_host(settings, "eu.example.com", None, is_trusted=True)

    def opens_at(host: str) -> bool:
        assert storage.put(f"{CONFIGS}/rows", {"configuration": document(stored, host)}).status == 200
        secret, plain = (storage.get(f"{path}/{row_id}").json for row_id in ("secret", "plain"))
        assert (secret["version"], plain["version"]) == (1, 1)
        return opens(services, secret["configuration"]["parameters"]["#token"], here(services, host))

    assert not opens_at(EVIL)
    assert opens_at("eu.example.com")
    assert opens_at(HOST), "it stays with the host that it was for"


def test_a_host_that_the_project_trusts_keeps_the_secret_of_a_job_with_its_own_configuration(
    services: ServicesOnly,
) -> None:
    queue, stored = services.service("queue"), save(services.service("storage"), "own", document(CANARY))
    trust_host(services.stack.settings, "eu.example.com", None, is_trusted=True)

    def move(host: str) -> str:
        job = queue.post("/jobs", {"component": COMPONENT, "configData": document(stored, host)}).json
        return job["configData"]["parameters"]["#password"]

    assert opens(services, move("eu.example.com"), here(services, "eu.example.com"))
    assert move(EVIL) == stored


def test_a_secret_of_a_state_is_of_no_use_in_a_configuration(services: ServicesOnly) -> None:
    """Not even in one whose host is a value of the vault: its secrets are bound to no host by name."""
    storage = services.service("storage")
    assert services.service("vault").post("/variables", {"key": "url", "value": f"https://{EVIL}/"}).status == 201
    save(storage, "victim", document(CANARY))
    state = storage.put(f"{CONFIGS}/victim/state", {"state": {"component": {"#token": CANARY}}}).json["state"]
    moved = {"parameters": {"api": {"baseUrl": "{{ vault.url }}"}, "#password": state["component"]["#token"]}}
    save(storage, "moved", moved)
    job = run(services, config="moved")

    assert job["status"] == "error"
    assert "it was encrypted for another purpose" in job["result"]["message"]


def test_trusting_a_host_is_recorded(services: ServicesOnly) -> None:
    for is_trusted in (True, False):
        trust_host(services.stack.settings, "eu.example.com", None, is_trusted=is_trusted)
    with services.stack.database.reading() as tx:
        found = audit.list_entries(tx, audit.AuditFilter(event="host"))

    assert [entry.event for entry in found] == ["host.distrusted", "host.trusted"]
    assert {(entry.target, entry.project_id, entry.actor) for entry in found} == {
        ("host eu.example.com", services.project.id, "operator")
    }


def test_a_foreign_cipher_is_of_no_use_in_another_project(shared: ServicesOnly) -> None:
    """Neither from /encrypt nor from a configuration: what storing it gives is decrypted only at home, and there only
    for the host that it was first stored with."""
    theirs, mine = first_project(shared), add_project(shared)
    fresh, stored = (encrypt(shared, componentId=COMPONENT, projectId=theirs.caller.project_id) for _ in range(2))
    save(shared.service("storage"), "victim", document(stored))
    for number, (cipher, host) in enumerate([(fresh, EVIL), (stored, HOST)]):
        for given in _store(shared, mine, f"stolen-{number}", document(cipher, EVIL)):
            assert not any(opens(shared, given, scope) for scope in _scopes(mine))
            opening = [scope for scope in _scopes(theirs) if opens(shared, given, scope)]
            assert {(scope.component_id, scope.hosts) for scope in opening} == {(COMPONENT, host)}


def _store(services: ServicesOnly, project: Project, config_id: str, content: dict[str, Any]) -> list[str]:
    storage, queue = (services.service(name, project.token) for name in ("storage", "queue"))
    saved = save(storage, config_id, content)
    changed = storage.put(f"{CONFIGS}/{config_id}", {"configuration": content}).json["configuration"]
    row = storage.post(f"{CONFIGS}/{config_id}/rows", {"configuration": content}).json["configuration"]
    job = queue.post("/jobs", {"component": COMPONENT, "configData": content}).json["configData"]
    return [saved, *(each["parameters"]["#password"] for each in (changed, row, job))]


def _scopes(project: Project) -> list[Scope]:
    number = project.caller.project_id
    return [
        Scope(number, component, host, config_id=config_id, branch_type=kind)
        for component in (COMPONENT, "keboola.flow", "keboola.variables")
        for host in (HOST, EVIL, "")
        for config_id in ("victim", "stolen-0")
        for kind in ("default", "dev")
    ]
