"""Descriptions of configurations, of their versions and of merges."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.http import Response
from tests.support.stacks import ServicesOnly
from tests.unit.services.ai.test_jobs import limited
from tests.unit.services.fill import add_project
from tests.unit.services.vault.test_reactions import create_branch

GENERIC, CONFIGS = "ex-generic-v2", "/v2/storage/components/ex-generic-v2/configs"
SHOP = {
    "parameters": {
        "api": {"baseUrl": "https://user:plain-canary@shop.example.com/v1?key=query-canary", "#token": "secret-canary"},
        "config": {
            "outputBucket": "in.c-shop",
            "jobs": [{"endpoint": "orders?key=query-canary", "dataType": "orders"}],
        },
    },
    "storage": {"output": {"tables": [{"source": "x", "destination": "out.c-shop.x", "incremental": True}]}},
}


def create(services: ServicesOnly, config_id: str, document: Any, component: str = GENERIC, **fields: Any) -> None:
    body = {"name": f"Name of {config_id}", "configurationId": config_id, "configuration": document, **fields}
    assert services.service("storage").post(f"/v2/storage/components/{component}/configs", body).status == 201


def post(services: ServicesOnly, what: str, token: str | None = None, **body: Any) -> Response:
    wanted = {"branchId": "default", "componentId": GENERIC, **body}
    return services.service("ai", token).post(f"/describe/configuration{what}", wanted)


def describe(services: ServicesOnly, config_id: str, what: str = "", **body: Any) -> str:
    response = post(services, what, configId=config_id, **body)
    assert response.status == 201, response.text
    assert response.json.keys() == {"description", "correlationId"}
    return response.json["description"]


def test_a_configuration_is_described_by_what_it_reads_and_writes_without_its_secrets(shared: ServicesOnly) -> None:
    create(shared, "shop", SHOP, description="Orders of the shop.")

    assert describe(shared, "shop") == (
        '"Name of shop" is a configuration of Generic (`ex-generic-v2`), version 1.\n\n'
        "Orders of the shop.\n\n"
        "It reads:\n- the API at https://shop.example.com/v1\n- the endpoint `orders` into the table `orders`\n\n"
        "It writes:\n- the table `out.c-shop.x` incrementally\n- tables in the bucket `in.c-shop`\n\n"
        "Its secrets, which are stored encrypted:\n- `parameters.api.#token`"
    )


def test_transformations_flows_schedules_and_rows_are_described(shared: ServicesOnly) -> None:
    tables = {"tables": [{"source": "in.c-shop.orders", "destination": "orders"}]}
    blocks = [{"name": "Clean", "codes": [{"name": "Dates", "script": ["SELECT 1"]}]}]
    document = {"parameters": {"blocks": blocks}, "storage": {"input": tables}}
    create(shared, "sql", document, "keboola.duckdb-transformation")
    task = {"id": "1", "name": "Load", "enabled": False, "task": {"componentId": GENERIC, "configId": "5"}}
    create(shared, "flow", {"phases": [{"id": "p", "name": "P"}], "tasks": [task]}, "keboola.flow")
    schedule = {"schedule": {"cronTab": "0 6 * * *", "timezone": "UTC"}}
    target = {"target": {"componentId": GENERIC, "configurationId": "5", "mode": "run"}}
    create(shared, "cron", {**schedule, **target}, "keboola.scheduler")
    create(shared, "rows", {"parameters": {"api": {"baseUrl": "https://a.example/"}}})
    jobs = {"parameters": {"config": {"jobs": [{"endpoint": "users"}]}}}
    row = {"rowId": "r1", "name": "Users", "configuration": jobs}
    assert shared.service("storage").post(f"{CONFIGS}/rows/rows", row).status == 201

    text = describe(shared, "sql", componentId="keboola.duckdb-transformation")
    assert "It reads:\n- the table `in.c-shop.orders` as `orders`" in text
    assert "It runs:\n- the block `Clean` with the codes `Dates`" in text
    text = describe(shared, "flow", componentId="keboola.flow")
    assert "It runs:\n- the task `Load`: ex-generic-v2 `5`, which is disabled" in text
    text = describe(shared, "cron", componentId="keboola.scheduler")
    assert "It runs:\n- ex-generic-v2 `5` at `0 6 * * *` (UTC)" in text
    assert 'It has 1 rows:\n- "Users": the endpoint `users`' in describe(shared, "rows")
    text = describe(shared, "rows", rowId="r1")
    assert text.startswith('The row "Users" of "Name of rows" is a configuration of Generic')
    assert "- the API at https://a.example/\n- the endpoint `users`" in text


@pytest.mark.parametrize(
    "document",
    [
        {"parameters": [], "storage": "x"},
        {"parameters": {"api": {"baseUrl": "http://[broken"}, "config": {"jobs": [1, None, {"endpoint": {}}]}}},
        {"storage": {"input": {"tables": [[], {"source": []}], "files": [{}, {"tags": [{}]}]}, "output": []}},
        {"tasks": {"a": 1}, "schedule": [], "parameters": {"blocks": [{"codes": "x"}]}},
    ],
)
def test_a_document_of_any_shape_is_described(shared: ServicesOnly, document: Any) -> None:
    config_id = f"odd-{abs(hash(str(document)))}"
    create(shared, config_id, document)

    assert describe(shared, config_id).startswith(f'"Name of {config_id}" is a configuration')


def test_a_version_is_compared_with_another_setting_by_setting(shared: ServicesOnly) -> None:
    create(shared, "versions", SHOP)
    changed = {"parameters": {"api": {"baseUrl": "https://other.example/", "#token": "new-canary"}, "new": [1]}}
    body = {"configuration": changed, "changeDescription": "Another host"}
    assert shared.service("storage").put(f"{CONFIGS}/versions", body).status == 200

    text = describe(shared, "versions", "-version", currentVersionId=2)
    lines = text.splitlines()
    assert lines[0].startswith('Version 2 of "Name of versions" compared with version 1: 2 settings changed, 1 added, ')
    assert '→ "https://other.example/"' in text
    assert "- changed `parameters.api.#token`: [hidden] → [hidden]" in lines
    assert "- added `parameters.new[0]`: 1" in lines
    assert '- removed `parameters.config.outputBucket`: "in.c-shop"' in lines
    assert lines[-1] == 'Its author wrote: "Another host"'
    assert "secret-canary" not in text
    assert "new-canary" not in text
    assert "KBC::" not in text
    backwards = describe(shared, "versions", "-version", currentVersionId="1", previousVersionId="2")
    assert "- removed `parameters.new[0]`: 1" in backwards
    same = describe(shared, "versions", "-version", currentVersionId="2", previousVersionId="2")
    assert "nothing differs" in same


def test_a_merge_is_described_by_what_it_changes(services: ServicesOnly) -> None:
    create(services, "merged", {"parameters": {"a": 1}})
    storage = services.service("storage")
    branch = create_branch(storage, "branch")
    in_branch = f"/v2/storage/branch/{branch}/components/{GENERIC}/configs"
    assert storage.put(f"{in_branch}/merged", {"configuration": {"parameters": {"a": 2}}}).status == 200
    assert storage.post(in_branch, {"name": "New", "configurationId": "new"}).status == 201

    def merge(config_id: str, base: str = "default", current: str = branch) -> str:
        return describe(services, config_id, "-merge", baseBranchId=base, currentBranchId=current)

    assert "- changed `parameters.a`: 1 → 2" in merge("merged")
    assert merge("new").startswith('"New" is new: it does not exist in the branch default: ')
    assert "merging it deletes the configuration" in merge("new", base=branch, current="default")
    body = {"componentId": GENERIC, "baseBranchId": "default", "currentBranchId": branch, "configId": "nothing"}
    assert services.service("ai").post("/describe/configuration-merge", body).status == 404
    assert services.service("ai").post("/describe/configuration-merge", {**body, "baseBranchId": 9}).status == 404


def test_what_does_not_exist_is_not_found(shared: ServicesOnly) -> None:
    create(shared, "there", {})
    missing: list[tuple[str, dict[str, Any]]] = [
        ("", {"configId": "nothing"}),
        ("", {"configId": "there", "branchId": "999999"}),
        ("", {"configId": "there", "branchId": "x\x00"}),
        ("", {"configId": "there", "rowId": "nothing"}),
        ("", {"configId": "there", "componentId": "nobody.nothing"}),
        ("-version", {"configId": "there", "currentVersionId": "7"}),
        ("-version", {"configId": "there", "currentVersionId": "1", "previousVersionId": "x"}),
    ]
    for what, body in missing:
        assert post(shared, what, **body).status == 404, body
    refused = post(shared, "-version", configId="there", currentVersionId="1")
    assert (refused.status, refused.json["error"]) == (
        422,
        "Version 1 is the first one, so that there is none before it to compare it with.",
    )


def test_configurations_are_described_only_to_those_who_may_use_their_component(shared: ServicesOnly) -> None:
    create(shared, "guarded", SHOP)
    bodies: dict[str, dict[str, Any]] = {
        "": {},
        "-version": {"currentVersionId": "1", "previousVersionId": "1"},
        "-merge": {"baseBranchId": "default", "currentBranchId": "default"},
    }
    for what, more in bodies.items():
        assert post(shared, what, limited(shared), configId="guarded", **more).status == 403
        assert post(shared, what, add_project(shared).token, configId="guarded", **more).status == 404
        user = limited(shared, componentAccess=[GENERIC])
        assert post(shared, what, user, configId="guarded", **more).status == 201
