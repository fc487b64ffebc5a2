"""Shared code, variables and vault values as a job finds them in Storage and in Vault."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from penstock.foundation.callers import Caller
from penstock.foundation.errors import Invalid
from penstock.foundation.secrets import WIDE_PREFIX, Scope
from penstock.services.queue.variables import JobValues, Resolved, StoredSources, resolve
from tests.support.stacks import ServicesOnly, wait_for
from tests.unit.services.fill import add_project, first_project

DOCUMENT = {
    "variables_id": "vars",
    "variables_values_id": "day",
    "shared_code_id": "code",
    "shared_code_row_ids": ["snippet"],
    "parameters": {"script": ["{{ snippet }}"], "#password": "{{ vault.password }}"},
}


@pytest.fixture
def filled(services: ServicesOnly) -> ServicesOnly:
    """A stack with one of everything."""
    add(services, "keboola.variables", "vars", {"variables": [{"name": "alias", "type": "string"}]})
    add_row(services, "keboola.variables/configs/vars", "day", {"values": [{"name": "alias", "value": "batman"}]})
    add(services, "keboola.shared-code", "code", {"componentId": "keboola.python-transformation-v2"})
    add_row(services, "keboola.shared-code/configs/code", "snippet", {"code_content": ["I am {{ alias }}"]})
    keep(services, "password", "s3cret", flags=["encrypted"])
    return services


def add(services: ServicesOnly, component: str, config_id: str, configuration: dict[str, Any]) -> None:
    body = {"name": config_id, "configurationId": config_id, "configuration": configuration}
    response = services.service("storage").post(f"/v2/storage/components/{component}/configs", body)
    assert response.status == 201, response.text


def add_row(services: ServicesOnly, place: str, row_id: str, configuration: dict[str, Any]) -> None:
    body = {"name": row_id, "rowId": row_id, "configuration": configuration}
    response = services.service("storage").post(f"/v2/storage/components/{place}/rows", body)
    assert response.status == 201, response.text


def keep(services: ServicesOnly, key: str, value: str, **rest: Any) -> None:
    assert services.service("vault").post("/variables", {"key": key, "value": value, **rest}).status == 201


def run(services: ServicesOnly, document: dict[str, Any], caller: Caller | None = None) -> Resolved:
    caller = caller or first_project(services).caller
    return resolve(document, StoredSources(services.stack.database, caller, services.stack.cipher), JobValues())


def test_everything_is_found_where_it_is_kept(filled: ServicesOnly) -> None:
    resolved = run(filled, DOCUMENT)
    parameters = resolved.document["parameters"]

    assert parameters["script"] == ["I am batman"]
    assert parameters["#password"].startswith(WIDE_PREFIX)
    assert [(each.name, each.value) for each in resolved.variables] == [
        ("vault.password", "[hidden]"),
        ("alias", "batman"),
    ]


def test_a_secret_of_the_vault_opens_where_the_job_opens_its_own(filled: ServicesOnly) -> None:
    scope = Scope(first_project(filled).caller.project_id, "ex-generic-v2", "api.example.com")
    opened = filled.stack.cipher.decrypt(run(filled, DOCUMENT).document, scope)

    assert opened["parameters"]["#password"] == "s3cret"


def test_a_branch_has_its_own(filled: ServicesOnly) -> None:
    storage = filled.service("storage")
    job = storage.post("/v2/storage/dev-branches", {"name": "aside"}).json
    branch = wait_for(lambda: storage.get(f"/v2/storage/jobs/{job['id']}").json.get("results"))["id"]
    row = f"/v2/storage/branch/{branch}/components/keboola.variables/configs/vars/rows/day"
    storage.put(row, {"configuration": {"values": [{"name": "alias", "value": "bruce"}]}})
    keep(filled, "host", "everywhere")
    keep(filled, "host", "aside", attributes={"branchId": str(branch)})
    document = {**DOCUMENT, "parameters": ["{{ alias }} {{ vault.host }}"]}
    caller = msgspec.structs.replace(first_project(filled).caller, branch_id=int(branch))

    assert run(filled, document).document["parameters"] == ["batman everywhere"]
    assert run(filled, document, caller).document["parameters"] == ["bruce aside"]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"variables_id": "gone"}, 'Variable configuration cannot be read: Configuration "gone" not found'),
        ({"variables_values_id": "x"}, 'Cannot read variable values "x" of variables configuration "vars".'),
        ({"shared_code_id": "gone"}, 'Shared code configuration cannot be read: Configuration "gone" not found'),
        ({"shared_code_row_ids": ["x"]}, "Shared code configuration cannot be read: Row x not found"),
        ({"parameters": "{{ vault.gone }}"}, "Missing values for placeholders: vault.gone"),
    ],
)
def test_what_is_not_there_is_said(filled: ServicesOnly, change: dict[str, Any], expected: str) -> None:
    with pytest.raises(Invalid) as caught:
        run(filled, {**DOCUMENT, **change})

    assert caught.value.message == expected


@pytest.mark.parametrize(
    "part", [{"variables_id": "vars"}, {"shared_code_id": "code", "shared_code_row_ids": ["snippet"]}]
)
def test_another_project_finds_nothing(filled: ServicesOnly, part: dict[str, Any]) -> None:
    stranger = add_project(filled).caller

    for document in (part, {"x": "{{ vault.password }}"}):
        with pytest.raises(Invalid, match=r"not found|Missing values"):
            run(filled, document, stranger)
