"""Permissions in the vault, and what one project can learn about another."""

from __future__ import annotations

import pytest

from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import add_project

LISTS = ["/variables", "/variables/scoped/branch/default", "/variables/merged/branch?branchId=default"]
NEW = {"key": "host", "value": "mine"}


def guest(services: ServicesOnly, **rights: object) -> Http:
    made = services.service("storage").post("/v2/storage/tokens", {"description": "guest", **rights}).json
    return services.service("vault", made["token"])


@pytest.mark.parametrize("path", LISTS)
def test_variables_of_another_project_are_not_there(shared: ServicesOnly, path: str) -> None:
    theirs = shared.service("vault", add_project(shared).token)
    mine = shared.service("vault").post("/variables", NEW).json

    assert theirs.get(path).json == []
    refused = theirs.delete(f"/variables/{mine['hash']}")
    assert (refused.status, refused.json["error"]) == (404, f'Variable "{mine["hash"]}" not found')
    made = theirs.post("/variables", {**NEW, "value": "theirs"}).json
    assert made["hash"] == mine["hash"]
    assert [each["value"] for each in theirs.get(path).json] == ["theirs"]
    assert [each["value"] for each in shared.service("vault").get(path).json] == ["mine"]


def test_another_projects_branch_shows_nothing_of_it(shared: ServicesOnly) -> None:
    branch = str(shared.service("storage").get("/v2/storage/dev-branches/default").json["id"])
    shared.service("vault").post("/variables", {**NEW, "attributes": {"branchId": branch}})
    theirs = shared.service("vault", add_project(shared).token)

    assert theirs.get(f"/variables/scoped/branch/{branch}").json == []
    assert theirs.get(f"/variables?attributes[branchId]={branch}").json == []


@pytest.mark.parametrize("rights", [{}, {"canCreateJobs": True}, {"componentAccess": ["ex-generic-v2"]}])
def test_a_token_for_a_part_of_the_project_neither_reads_nor_changes_variables(
    shared: ServicesOnly, rights: dict[str, object]
) -> None:
    mine = shared.service("vault").post("/variables", {**NEW, "key": "not-for-guests"}).json
    limited = guest(shared, **rights)

    changes = (limited.post("/variables", NEW), limited.delete(f"/variables/{mine['hash']}"))
    for response in (*map(limited.get, LISTS), *changes):
        assert (response.status, response.json["code"]) == (403, 403)
        assert "value" not in response.text
    assert mine in shared.service("vault").get("/variables").json


def test_a_token_for_the_whole_project_reads_and_changes_variables(shared: ServicesOnly) -> None:
    full = guest(shared, canManageBuckets=True)
    made = full.post("/variables", {**NEW, "key": "of-the-project"})

    assert made.status == 201
    assert all(made.json in full.get(path).json for path in LISTS)
    assert full.delete(f"/variables/{made.json['hash']}").status == 200


@pytest.mark.parametrize(
    ("rights", "status"), [({}, 403), ({"canCreateJobs": True}, 200), ({"canManageBuckets": True}, 200)]
)
def test_a_configuration_is_not_resolved_with_variables_that_the_token_may_not_get(
    shared: ServicesOnly, rights: dict[str, object], status: int
) -> None:
    shared.service("vault").post("/variables", {"key": "shown", "value": "CANARY"})
    actions = Http(shared.service("sync-actions").base, guest(shared, **rights).token)
    resolve = {"branchId": "default", "configData": {"parameters": {"host": "{{ vault.shown }}"}}}
    response = actions.post("/resolve-config-variables", resolve)

    assert response.status == status, response.text
    assert ("CANARY" in response.text) == (status == 200)
    plain = {"branchId": "default", "configData": {"parameters": {"host": "here"}}}
    assert actions.post("/resolve-config-variables", plain).status == 200
