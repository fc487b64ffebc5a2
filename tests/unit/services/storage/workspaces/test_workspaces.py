"""Workspaces: created, listed, shown and deleted, through HTTP on both databases."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import func, select

from penstock.foundation import clock
from penstock.services.storage.operations.workspaces.folders import remove_expired_workspaces
from penstock.services.storage.store.workspaces import credentials
from penstock.sql import Engines, Workspace
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import add_project
from tests.unit.services.storage.loading import run, storage, succeed

CREATED = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000")
COMPONENT = "ex-generic-v2"


def make(http: Http, **fields: Any) -> dict[str, Any]:
    response = http.post("/workspaces", fields)
    assert response.status == 201, response.text
    return response.json


def make_config(http: Http, name: str = "one") -> str:
    response = http.post(f"/components/{COMPONENT}/configs", {"name": name, "configurationId": name})
    assert response.status == 201, response.text
    return f"/components/{COMPONENT}/configs/{name}"


def test_a_workspace_is_shown_as_clients_read_it(services_on_each: ServicesOnly) -> None:
    http = storage(services_on_each)
    made = make(http, backend="snowflake", backendSize="medium")

    number, project = made["id"], services_on_each.project.token.split("-")[0]
    password = made["connection"].pop("password")
    assert isinstance(number, int)
    assert len(password) >= 32
    assert CREATED.fullmatch(made["created"])
    assert made == {
        "id": number,
        "name": f"WORKSPACE_{number}",
        "type": "table",
        "component": None,
        "configurationId": None,
        "created": made["created"],
        "backendSize": "medium",
        "statementTimeoutSeconds": made["statementTimeoutSeconds"],
        "creatorToken": {
            "id": int(services_on_each.project.token.split("-")[1]),
            "description": made["creatorToken"]["description"],
        },
        "creatorUser": None,
        "readOnlyStorageAccess": True,
        "platformUsageType": None,
        "connection": {
            "backend": "snowflake",
            "host": made["connection"]["host"],
            "region": "local",
            "database": f"KBC_{project}",
            "schema": f"WORKSPACE_{number}",
            "warehouse": "KEBOOLA_PROD",
            "user": f"KEBOOLA_WORKSPACE_{number}",
            "account": "penstock",
            "role": f"KEBOOLA_WORKSPACE_{number}",
            "loginType": "default",
            "ssoLoginAvailable": False,
        },
    }
    assert made["connection"]["host"].startswith("connection.")
    assert http.get(f"/workspaces/{number}").json == made
    assert http.get(f"/workspaces/{number}/").json == made
    assert http.get("/workspaces").json == [made]
    assert http.delete(f"/workspaces/{number}").status == 204
    assert http.get(f"/workspaces/{number}").status == 404
    assert http.get("/workspaces").json == []
    assert [event["event"] for event in http.get("/events").json[:2]] == [
        "storage.workspaceDeleted",
        "storage.workspaceCreated",
    ]


def test_the_form_of_the_python_client_is_read(shared: ServicesOnly) -> None:
    http = storage(shared)
    form = b"backend=snowflake&loginType=snowflake-person-sso&readOnlyStorageAccess=false"
    response = http.send("POST", "/workspaces", form, {"Content-Type": "application/x-www-form-urlencoded"})

    assert response.status == 201
    assert response.json["readOnlyStorageAccess"] is False
    assert response.json["connection"]["loginType"] == "snowflake-person-sso"
    assert "password" not in response.json["connection"]


def test_with_async_a_job_has_the_workspace_without_its_secrets(services_on_each: ServicesOnly) -> None:
    http = storage(services_on_each)
    response = http.post("/workspaces?async=1", {"statementTimeoutSeconds": 77})
    job = run(http, response)

    assert isinstance(response.json["id"], int)
    assert (job["status"], job["operationName"]) == ("success", "workspaceCreate")
    assert isinstance(job["results"]["id"], int)
    assert "password" not in job["results"]["connection"]
    assert job["results"]["statementTimeoutSeconds"] == 77
    assert http.get(f"/workspaces/{job['results']['id']}").json == job["results"]
    deleted = run(http, http.delete(f"/workspaces/{job['results']['id']}?async=1"))
    assert (deleted["status"], deleted["operationName"]) == ("success", "workspaceDrop")
    assert http.get("/workspaces").json == []


def test_a_client_may_ask_for_a_job_in_the_body(shared: ServicesOnly) -> None:
    http = storage(shared)

    assert succeed(http, http.post("/workspaces", {"async": True}))["name"].startswith("WORKSPACE_")


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        ({"backend": "bigquery"}, "workspace.backendNotSupported"),
        ({"backend": "abs", "backendSize": "medium"}, "workspace.unsupportedBackendSize"),
        ({"backend": "abs", "loginType": "snowflake-service-keypair"}, "workspace.validation"),
        ({"backend": "abs", "publicKey": "magic"}, "workspace.validation"),
        ({"backend": "bigquery", "backendSize": "medium"}, "workspace.unsupportedBackendSize"),
        ({"backendSize": "planet"}, "workspace.unsupportedBackendSize"),
        ({"loginType": "magic"}, "workspace.validation"),
        ({"networkPolicy": "magic"}, "workspace.validation"),
        ({"useCase": "magic"}, "workspace.validation"),
        ({"publicKey": "magic"}, "workspace.invalidPublicKey"),
        ({"statementTimeoutSeconds": -1}, "validation.failed"),
        ({"statementTimeoutSeconds": 10**9}, "validation.failed"),
    ],
)
@pytest.mark.parametrize("query", ["", "?async=1"])
def test_what_is_not_there_is_refused_at_once_and_leaves_nothing(
    shared: ServicesOnly, wanted: dict[str, Any], code: str, query: str
) -> None:
    http = storage(shared)
    before = len(http.get("/workspaces").json), len(http.get("/jobs").json)
    response = http.post(f"/workspaces{query}", wanted)

    assert (response.status, response.json["code"]) == (400, code), response.text
    assert (len(http.get("/workspaces").json), len(http.get("/jobs").json)) == before


@pytest.mark.parametrize(
    "login_type",
    [
        *("default", "none", "snowflake-legacy-service"),
        *("snowflake-person-sso", "snowflake-person-keypair", "snowflake-service-keypair"),
    ],
)
def test_every_login_type_of_clients_is_accepted(shared: ServicesOnly, login_type: str) -> None:
    made = make(storage(shared), loginType=login_type, publicKey="")

    assert made["connection"]["loginType"] == login_type
    assert ("password" in made["connection"]) == (login_type in ("default", "snowflake-legacy-service"))


def test_a_configuration_has_workspaces_of_its_own(services_on_each: ServicesOnly) -> None:
    http = storage(services_on_each)
    path = make_config(http)
    free = make(http)
    made = succeed(http, http.post(f"{path}/workspaces?async=true", {"useCase": "reader"}))
    other = http.post(f"{path}/workspaces", {}).json

    assert (made["component"], made["configurationId"]) == (COMPONENT, "one")
    assert [each["id"] for each in http.get(f"{path}/workspaces").json] == [made["id"], other["id"]]
    assert [each["id"] for each in http.get("/workspaces").json] == [free["id"], made["id"], other["id"]]
    assert http.get(f"/components/{COMPONENT}/configs/two/workspaces").status == 404
    assert http.post(f"/components/{COMPONENT}/configs/two/workspaces", {}).status == 404
    assert http.delete(path).status == 204
    assert [each["id"] for each in http.get("/workspaces").json] == [free["id"]]


def test_a_branch_has_workspaces_of_its_own_which_are_deleted_with_it(services_on_each: ServicesOnly) -> None:
    http = storage(services_on_each)
    branch = succeed(http, http.post("/dev-branches", {"name": "dev"}))["id"]
    within = Http(f"{http.base}/branch/{branch}", http.token)
    main, made = make(http), make(within)

    assert [each["id"] for each in within.get("/workspaces").json] == [made["id"]]
    assert within.get(f"/workspaces/{main['id']}").status == 404
    assert http.get(f"/workspaces/{made['id']}").status == 404
    assert http.get(f"/branch/default/workspaces/{main['id']}").status == 200
    succeed(http, http.delete(f"/dev-branches/{branch}"))
    assert [each["id"] for each in http.get("/workspaces").json] == [main["id"]]
    events = [each["event"] for each in http.get("/events").json]
    assert events.count("storage.workspaceDeleted") == 1


def test_a_limited_token_uses_only_workspaces_that_it_created(shared: ServicesOnly) -> None:
    http = storage(shared)
    limited = Http(http.base, http.post("/tokens", {"description": "limited"}).json["token"])
    theirs, own = make(http), make(limited)

    assert [each["id"] for each in limited.get("/workspaces").json] == [own["id"]]
    assert limited.get(f"/workspaces/{theirs['id']}").status == 404
    assert limited.delete(f"/workspaces/{theirs['id']}").status == 404
    assert limited.post(f"/workspaces/{theirs['id']}/password").status == 404
    assert http.get(f"/workspaces/{own['id']}").status == 200


def test_another_project_finds_nothing(shared: ServicesOnly) -> None:
    made, other = make(storage(shared)), storage(shared, add_project(shared))

    response = other.get(f"/workspaces/{made['id']}")
    assert (response.status, response.json["code"]) == (404, "workspace.workspaceNotFound")
    assert other.get("/workspaces").json == []


@pytest.mark.parametrize("given", ["0", "x", "-1", "99999999999999999999999", "1%2F2", "%00"])
def test_an_id_that_is_none_is_not_found(shared: ServicesOnly, given: str) -> None:
    assert storage(shared).get(f"/workspaces/{given}").status == 404


def test_workspaces_that_nobody_uses_expire(services_on_each: ServicesOnly, monkeypatch: pytest.MonkeyPatch) -> None:
    http, stack = storage(services_on_each), services_on_each.stack
    unused, old, used = (make(http)["id"] for _ in range(3))
    http.post(f"/workspaces/{old}/credentials", {})
    folder = stack.folder / "workspaces" / str(old)
    folder.mkdir(parents=True)
    (folder / "used").touch()
    now = clock.now()
    monkeypatch.setattr(clock, "source", lambda: now + timedelta(days=8))
    assert http.post(f"/workspaces/{used}/query", {"query": "select 1"}).json["status"] == "ok"

    for days in (0, 9):
        remove_expired_workspaces(stack.with_settings(sql_workspace_days=days))
        assert {each["id"] for each in http.get("/workspaces").json} == {unused, old, used}
    remove_expired_workspaces(stack.with_settings(sql_workspace_days=7))
    assert [each["id"] for each in http.get("/workspaces").json] == [used]
    assert not folder.exists()
    with stack.database.reading() as tx:
        assert tx.value(select(func.count()).select_from(credentials)) == 0
    deleted = http.get("/events?limit=100").json
    assert {each["objectId"] for each in deleted if each["event"] == "storage.workspaceDeleted"} == {
        str(unused),
        str(old),
    }


def test_a_workspace_that_is_used_just_before_it_expires_stays(
    shared: ServicesOnly, monkeypatch: pytest.MonkeyPatch
) -> None:
    http, stack = storage(shared), shared.stack.with_settings(sql_workspace_days=7)
    made = make(http)["id"]
    now = clock.now()
    monkeypatch.setattr(clock, "source", lambda: now + timedelta(days=8))
    answers = iter([None, clock.now()])
    monkeypatch.setattr(
        Engines, "find_last_use", lambda _, workspace: next(answers) if workspace.id == made else clock.now()
    )
    remove_expired_workspaces(stack)

    assert http.get(f"/workspaces/{made}").status == 200


def test_a_workspace_that_cannot_be_removed_does_not_keep_the_others(
    shared: ServicesOnly, monkeypatch: pytest.MonkeyPatch
) -> None:
    http, stack = storage(shared), shared.stack.with_settings(sql_workspace_days=7)
    broken, other = make(http)["id"], make(http)["id"]
    now, find = clock.now(), Engines.find_last_use

    def find_last_use(engines: Engines, workspace: Workspace) -> datetime | None:
        if workspace.id == broken:
            raise OSError("the disk is gone")
        return find(engines, workspace) if workspace.id == other else clock.now()

    monkeypatch.setattr(clock, "source", lambda: now + timedelta(days=8))
    monkeypatch.setattr(Engines, "find_last_use", find_last_use)
    remove_expired_workspaces(stack)

    assert http.get(f"/workspaces/{broken}").status == 200
    assert http.get(f"/workspaces/{other}").status == 404
