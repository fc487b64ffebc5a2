"""Tables of a configuration, loaded into a session and written back, through HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.stacks import ServicesOnly, wait_for
from tests.unit.services.fill import load_table
from tests.unit.services.query.workspaces import SqlWorkspace, finish
from tests.unit.services.storage.loading import rows, storage
from tests.unit.services.storage.workspaces.test_workspaces import COMPONENT

PEOPLE = "in.c-main.people"
MAPPING = {
    "input": {"tables": [{"source": PEOPLE, "destination": "p"}, {"source": PEOPLE, "destination": "q"}]},
    "output": {"tables": [{"source": "result", "destination": "out.c-new.result"}]},
}


class EditorSession:
    """A new session of a configuration."""

    def __init__(self, services: ServicesOnly, mapping: dict[str, Any] | None = None, **fields: Any) -> None:
        self.editor, self._query = services.service("editor"), services.service("query")
        config = {"name": "c", "configuration": {"storage": MAPPING if mapping is None else mapping}}
        config_id = storage(services).post(f"/components/{COMPONENT}/configs", config).json["id"]
        branch_id = SqlWorkspace(services).branch_id
        body = {"branchId": str(branch_id), "componentId": COMPONENT, "configurationId": config_id, **fields}
        self.made = self.editor.post("/sql/sessions", body).json
        self.path = f"/sql/sessions/{self.made['id']}"

    def wait(self) -> dict[str, Any]:
        """The session, when it is ready."""
        return wait_for(lambda: (found := self.editor.get(self.path).json)["status"] == "ready" and found)

    def run(self, *queries: str) -> None:
        started = self.editor.post(f"{self.path}/run-query", {"queries": list(queries)}).json
        assert finish(self._query, started["queryJobId"])["status"] == "completed"

    def tables(self) -> list[str]:
        schema = self.editor.get(f"{self.path}/schema?onlyWorkspaceSchema=1").json["databases"][0]["schemas"]
        return sorted(table["name"] for table in schema[0]["tables"])

    def load(self, **body: Any) -> dict[str, Any]:
        response = self.editor.post(f"{self.path}/load", body)
        assert (response.status, response.json["status"]) == (200, "loading"), response.text
        return self.wait()


@pytest.fixture(scope="module", autouse=True)
def people(shared: ServicesOnly) -> None:
    load_table(shared, PEOPLE, "id,name\n1,Ada\n2,Grace\n")


def test_a_mapping_goes_in_and_its_results_come_out(services_on_each: ServicesOnly) -> None:
    load_table(services_on_each, PEOPLE, "id,name\n1,Ada\n2,Grace\n")
    session = EditorSession(services_on_each)
    session.wait()

    loaded = session.load(mode="input")
    assert (loaded["lastError"], bool(loaded["lastLoadedAt"])) == (None, True)
    assert session.tables() == ["p", "q"]
    session.run('CREATE TABLE "result" AS SELECT * FROM "p" WHERE "id" = \'2\'')
    started = session.editor.post(f"{session.path}/unload", {})
    assert (started.status, started.json["status"]) == (200, "unloading"), started.text
    assert session.wait()["lastError"] is None
    assert rows(storage(services_on_each), "out.c-new.result") == [["2", "Grace"]]


def test_a_session_can_be_created_with_its_mapping(shared: ServicesOnly) -> None:
    session = EditorSession(shared, loadMode="input")

    assert session.made["status"] == "initializing"
    assert session.wait()["lastLoadedAt"]
    assert session.tables() == ["p", "q"]


def test_each_mode_keeps_what_it_says(shared: ServicesOnly) -> None:
    session = EditorSession(shared)
    session.run('CREATE TABLE "mine" AS SELECT 1 AS a')

    session.load(mode="input", tableId="p")
    assert session.tables() == ["mine", "p"]
    session.load(mode="input-preserve")
    assert session.tables() == ["mine", "p", "q"]
    session.load(mode="input")
    assert session.tables() == ["p", "q"]
    session.load(mode="clean")
    assert session.tables() == []


def test_an_empty_mapping_empties_the_workspace(shared: ServicesOnly) -> None:
    session = EditorSession(shared, mapping={})
    session.run('CREATE TABLE "mine" AS SELECT 1 AS a')

    session.load(mode="input-preserve")
    assert session.tables() == ["mine"]
    session.load(mode="input")
    assert session.tables() == []


def test_a_failure_is_the_last_error_until_it_is_acknowledged(shared: ServicesOnly) -> None:
    session = EditorSession(shared)
    session.wait()
    session.editor.post(f"{session.path}/unload", {})

    assert "result" in session.wait()["lastError"]
    assert session.editor.post(f"{session.path}/acknowledge-last-error").json["lastError"] is None
    assert session.editor.post(f"{session.path}/acknowledge-last-error").status == 400


def test_a_session_that_is_loading_refuses_another_load(services: ServicesOnly) -> None:
    load_table(services, PEOPLE, "id,name\n1,Ada\n")
    session = EditorSession(services)
    session.wait()
    services.stop_worker()
    session.editor.post(f"{session.path}/load", {"mode": "input"})

    again = session.editor.post(f"{session.path}/load", {"mode": "input"})
    assert (again.status, again.json["message"]) == (409, "The session is loading. Wait until it is ready.")
    assert session.editor.post(f"{session.path}/unload", {}).status == 409


@pytest.mark.parametrize(
    ("action", "body", "says"),
    [
        ("load", {}, "mode"),
        ("load", {"mode": "all"}, "mode"),
        ("load", {"mode": "input", "tableId": "x"}, 'has no table whose destination is "x"'),
        ("load", {"mode": "clean", "tableId": "p"}, "leave tableId out"),
        ("unload", {"tableId": "x"}, 'has no table whose source is "x"'),
    ],
)
def test_what_cannot_be_loaded_is_refused(shared: ServicesOnly, action: str, body: dict[str, Any], says: str) -> None:
    session = EditorSession(shared)
    response = session.editor.post(f"{session.path}/{action}", body)

    assert response.status == 400
    assert says in response.json["message"]
    assert session.wait()["lastError"] is None


def test_without_a_configuration_there_is_no_mapping(shared: ServicesOnly) -> None:
    editor, branch_id = shared.service("editor"), SqlWorkspace(shared).branch_id
    body = {"branchId": str(branch_id)}
    path = f"/sql/sessions/{editor.post('/sql/sessions', body).json['id']}"

    for response in (
        editor.post("/sql/sessions", {**body, "loadMode": "input"}),
        editor.post(f"{path}/load", {"mode": "input"}),
        editor.post(f"{path}/unload", {}),
    ):
        assert (response.status, "no configuration" in response.json["message"]) == (400, True), response.text
