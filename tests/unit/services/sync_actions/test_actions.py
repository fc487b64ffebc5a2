"""What an action gets, and what its client gets back."""

from __future__ import annotations

import json
from typing import Any

import pytest

from penstock.foundation import audit
from penstock.services.sync_actions import results
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import add_project
from tests.unit.services.sync_actions.asking import ACTIONS, OWN, ask, folders, send

CANARY = "canary-4711-value"


@pytest.mark.parametrize(
    "text", ["{}", "[]", '{"a": {}, "b": [], "n": 1.50, "big": 12345678901234567890123}', ' "x"\n']
)
def test_the_result_is_what_the_component_wrote(actions: ServicesOnly, text: str) -> None:
    response = ask(actions, "echo", text=text)

    assert (response.status, response.text) == (201, text.strip())
    assert response.headers["content-type"] == "application/json"
    assert folders(actions) == []


def test_the_component_gets_the_configuration_and_no_access_to_storage(actions: ServicesOnly) -> None:
    response = send(
        actions, "dump", {"parameters": {"a": {}, "l": []}, "storage": {"input": {"tables": []}}}, mode="debug"
    )

    assert response.status == 201, response.text
    config, env = response.json["config"], response.json["env"]
    assert (config["action"], config["parameters"]) == ("dump", {"a": {}, "l": []})
    assert {"authorization", "image_parameters", "parameters", "storage"} <= config.keys()
    assert (env["KBC_COMPONENTID"], env["KBC_COMPONENT_RUN_MODE"]) == (OWN, "debug")
    assert "KBC_TOKEN" not in env


@pytest.mark.parametrize("given", [[], {}])
def test_an_empty_configuration_may_be_a_list(actions: ServicesOnly, given: Any) -> None:
    assert send(actions, "dump", given, branchId="default").json["config"]["parameters"] == {}


@pytest.mark.parametrize(("code", "status"), [(1, 400), (2, 500), (7, 500)])
def test_the_exit_code_says_whose_error_it_is(actions: ServicesOnly, code: int, status: int) -> None:
    response = ask(actions, "fail", code=code, **{"#secret": CANARY})

    assert (response.status, response.json["code"], response.json["status"]) == (status, status, "error")
    assert response.json["error"] == response.json["message"]
    assert response.json["exceptionId"]
    said = "It does not work: [hidden]" if code == 1 else f"Application error: the component {OWN} ended with exit code"
    assert said in response.json["error"]
    assert CANARY not in response.text


@pytest.mark.parametrize("text", ["", "not JSON", "{", '{"a": 1} {}', "[" * 5000])
def test_a_result_that_is_not_json_is_the_components_error(actions: ServicesOnly, text: str) -> None:
    response = ask(actions, "echo", text=text)

    assert response.status == 500
    assert "not valid JSON" in response.json["error"]


def test_a_long_result_is_whole_and_one_that_is_too_long_is_refused(
    actions: ServicesOnly, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(ask(actions, "flood", size=1_000_000).json) == 1_000_000
    monkeypatch.setattr("penstock.services.sync_actions.running.RESULT_BYTES", 1000)

    response = ask(actions, "flood", size=100_000)
    assert response.status == 400
    assert f"more than {results.RESULT_BYTES:,} bytes" in response.json["error"]


@pytest.mark.parametrize(
    ("changes", "status", "said"),
    [
        ({"action": "run"}, 400, f"Its actions: {', '.join(ACTIONS)}"),
        ({"componentId": "keboola.flow"}, 400, "It has no synchronous actions."),
        ({"componentId": "no.such"}, 404, "no.such"),
        ({"configData": [1]}, 400, "configData"),
        ({"configData": "x"}, 400, "configData"),
        ({"configData": None}, 400, "configData"),
        ({"configData": {"unknown": 1}}, 400, "unknown"),
        ({"mode": "fast"}, 400, "mode"),
        ({"branchId": "999999"}, 404, "999999"),
        ({"action": None}, 400, "action"),
    ],
)
def test_a_wrong_request_starts_nothing(actions: ServicesOnly, changes: dict[str, Any], status: int, said: str) -> None:
    body = {"componentId": OWN, "action": "echo", "configData": {}, **changes}
    response = actions.service("sync-actions").post("/actions", body)

    assert response.status == status, response.text
    assert said in response.json["error"]


def test_a_token_runs_actions_of_components_that_it_may_use(actions: ServicesOnly) -> None:
    def token(**rights: Any) -> str:
        return actions.service("storage").post("/v2/storage/tokens", {"description": "x", **rights}).json["token"]

    assert ask(actions, "echo", token(componentAccess=[OWN]), text="{}").status == 201
    assert ask(actions, "echo", token(canManageBuckets=True), text="{}").status == 201
    for weak in (token(), token(componentAccess=["ex-generic-v2"]), token(canCreateJobs=True)):
        refused = ask(actions, "echo", weak, text="{}")
        assert refused.status == 403
        assert "`canManageBuckets`" in refused.json["error"]
        assert "`componentAccess`" in refused.json["error"]


def test_actions_are_listed_in_an_object(actions: ServicesOnly) -> None:
    client = actions.service("sync-actions")

    assert client.get(f"/actions?componentId={OWN}").json == {"actions": ACTIONS}
    assert client.get("/actions?componentId=keboola.flow").json == {"actions": []}
    assert client.get("/actions?componentId=no.such").status == 404
    assert client.get("/actions").status == 400


def test_a_secret_of_a_configuration_is_decrypted_and_recorded(actions: ServicesOnly) -> None:
    wanted = {"name": "x", "configuration": {"parameters": {"#secret": CANARY, "text": "{}"}}}
    stored = actions.service("storage").post(f"/v2/storage/components/{OWN}/configs", wanted).json["configuration"]
    assert CANARY not in json.dumps(stored)

    response = send(actions, "dump", stored)
    assert response.json["length"] == len(CANARY)
    assert response.json["config"]["parameters"]["#secret"] == "[hidden]"
    entry = find_entries(actions, "secret.used")[0]
    assert entry.target == f"component {OWN}"
    assert entry.details == {"action": "dump", "secrets": ["parameters.#secret"]}
    assert entry.address in ("127.0.0.1", "::1")

    theirs = send(actions, "dump", stored, add_project(actions).token)
    assert (theirs.status, "cannot be decrypted here" in theirs.json["error"]) == (400, True)


@pytest.mark.parametrize("limits", ["componentId={own}&projectId={project}", "projectId={project}"])
def test_a_cipher_of_the_encryption_service_works_in_an_action_as_in_a_job(actions: ServicesOnly, limits: str) -> None:
    query = limits.format(own=OWN, project=actions.project.id)
    kind = {"Content-Type": "text/plain"}
    given = actions.service("encryption").send("POST", f"/encrypt?{query}", CANARY.encode(), kind).text
    document = {"parameters": {"#secret": given}}

    response = send(actions, "dump", document)
    assert (response.status, response.json.get("length")) == (201, len(CANARY)), response.text
    assert send(actions, "dump", document, add_project(actions).token).status == 400


def test_variables_shared_code_and_the_vault_are_put_in(actions: ServicesOnly) -> None:
    document = store_variables(actions)
    secret = {"key": "deep", "value": CANARY, "flags": ["encrypted"]}
    assert actions.service("vault").post("/variables", secret).status == 201

    response = send(actions, "dump", document)
    assert response.status == 201, response.text
    assert response.json["config"]["parameters"]["text"] == "Hello Ann"
    assert response.json["length"] == len(CANARY)
    assert [entry.details["variables"] for entry in find_entries(actions, "vault.read")] == [["deep"]]

    document["parameters"]["#plain"] = CANARY
    resolved = actions.service("sync-actions").post("/resolve-config-variables", {"configData": document}).json
    assert resolved["parameters"]["#plain"] == "[hidden]"
    assert resolved["parameters"]["text"] == "Hello Ann"
    assert resolved["parameters"]["#secret"].startswith("KBC::ProjectWideSecure::")
    assert resolved["parameters"]["#own"].startswith("KBC::ProjectSecure::")
    assert CANARY not in json.dumps(resolved)


def test_a_missing_variable_is_an_error_of_the_user(actions: ServicesOnly) -> None:
    document = {"parameters": {"text": "{{ vault.none }}"}}

    for response in (
        send(actions, "echo", document),
        actions.service("sync-actions").post("/resolve-config-variables", {"configData": document}),
    ):
        assert response.status == 400
        assert "Missing values for placeholders: vault.none" in response.json["error"]


def store_variables(services: ServicesOnly) -> dict[str, Any]:
    """A configuration whose values are elsewhere."""
    storage = services.service("storage")
    path = "/v2/storage/components/keboola.variables/configs"
    names = {"variables": [{"name": "name", "type": "string"}, {"name": "#own", "type": "string"}]}
    assert storage.post(path, {"name": "v", "configurationId": "v", "configuration": names}).status == 201
    values = {"values": [{"name": "name", "value": "Ann"}, {"name": "#own", "value": CANARY}]}
    assert storage.post(f"{path}/v/rows", {"rowId": "r", "configuration": values}).status == 201
    parameters = {"text": "Hello {{ name }}", "#secret": "{{ vault.deep }}", "#own": "{{ #own }}"}
    return {"variables_id": "v", "variables_values_id": "r", "parameters": parameters}


def find_entries(services: ServicesOnly, event: str) -> list[Any]:
    with services.stack.database.reading() as tx:
        return audit.list_entries(tx, audit.AuditFilter(event=event))
