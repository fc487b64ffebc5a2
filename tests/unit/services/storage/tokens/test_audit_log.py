"""The audit log of a project, for its administrators."""

from __future__ import annotations

from typing import Any

import pytest

from penstock.foundation import audit
from tests.support.stacks import ServicesOnly
from tests.unit.services.each_database import shared
from tests.unit.services.fill import add_project

__all__ = ["shared"]

LOG = "/v2/storage/audit-log"


def entries(services: ServicesOnly, query: str = "") -> list[dict[str, Any]]:
    response = services.service("storage").get(LOG + query)
    assert response.status == 200, response.text
    return response.json


def make_token(services: ServicesOnly, description: str, **fields: Any) -> dict[str, Any]:
    response = services.service("storage").post("/v2/storage/tokens", {"description": description, **fields})
    assert response.status == 201, response.text
    return response.json


def test_a_new_token_is_in_the_log_with_who_made_it_and_without_its_secret(shared: ServicesOnly) -> None:
    made = make_token(shared, "for a script")
    [entry] = entries(shared, "?limit=1")

    assert (entry["event"], entry["target"]) == ("token.created", f"token {made['id']}")
    assert entry["tokenId"] == int(shared.project.token.split("-")[1])
    assert entry["address"] == "127.0.0.1"
    assert made["token"] not in str(entries(shared))


def test_entries_are_selected_and_read_in_pages(shared: ServicesOnly) -> None:
    for number in range(3):
        make_token(shared, f"number {number}")
    first = entries(shared, "?event=token&limit=2")
    second = entries(shared, f"?event=token&limit=2&before={first[-1]['id']}")

    assert [each["event"] for each in first] == ["token.created"] * 2
    assert first[-1]["id"] > second[0]["id"]
    assert entries(shared, "?event=secret") == []
    assert entries(shared, f"?actor={first[0]['actor'][1:4].upper()}") != []
    assert entries(shared, "?actor=nobody%25") == []


def test_other_projects_and_the_stack_are_not_in_it(shared: ServicesOnly) -> None:
    other = add_project(shared)
    with shared.stack.database.writing() as tx:
        for project_id, target in ((0, "of the stack"), (other.caller.project_id, "of the other")):
            audit.record(tx, audit.NewEntry(event="test.done", project_id=project_id, target=target))

    assert entries(shared, "?event=test") == []
    assert [each["target"] for each in shared.service("storage", other.token).get(f"{LOG}?event=test").json] == [
        "of the other"
    ]


def test_only_an_administrator_reads_it(shared: ServicesOnly) -> None:
    strong = make_token(shared, "strong", canManageBuckets=True, canManageTokens=True)["token"]
    refused = shared.service("storage", strong).get(LOG)

    assert (refused.status, refused.json["code"]) == (403, "accessDenied")


@pytest.mark.parametrize("query", ["limit=0", "limit=1001", "limit=x", "before=-1", "before=x", f"actor={'a' * 300}"])
def test_a_wrong_parameter_is_named(shared: ServicesOnly, query: str) -> None:
    response = shared.service("storage").get(f"{LOG}?{query}")

    assert (response.status, query.partition("=")[0] in response.json["error"]) == (400, True)
