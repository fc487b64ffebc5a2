"""Stats of a run: tables that it imported and exported, and its files, on both databases."""

from __future__ import annotations

import pytest

from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.each_database import shared
from tests.unit.services.fill import add_project
from tests.unit.services.storage.loading import load, make_table, storage, succeed

__all__ = ["shared"]

T, EMPTY = "in.c-main.users", {"totalCount": 0, "tables": []}


@pytest.fixture
def http(new_project: ServicesOnly) -> Http:
    return storage(new_project)


def in_run(http: Http, run_id: str) -> Http:
    return Http(http.base, http.token, headers={"X-KBC-RunId": run_id})


def test_a_run_is_counted_with_its_children(http: Http):
    make_table(http, "id\n1\n")
    for run_id in ("77", "77.1", "777"):
        succeed(http, load(in_run(http, run_id), T, "id\n2\n"))
    succeed(http, in_run(http, "77").post(f"/tables/{T}/export-async", {}))

    found = http.get("/stats?runId=77").json

    assert found["tables"]["import"] == {"totalCount": 2, "tables": [{"id": T, "count": 2}]}
    assert found["tables"]["export"] == {"totalCount": 1, "tables": [{"id": T, "count": 1}]}
    assert found["files"]["total"]["count"] >= 2
    assert found["files"]["total"]["dataSizeBytes"] > 0
    assert http.get("/stats?runId=777").json["tables"]["import"]["totalCount"] == 1


def test_others_do_not_see_it(shared: ServicesOnly, http: Http):
    make_table(http, "id\n1\n")
    succeed(http, load(in_run(http, "88"), T, "id\n2\n"))
    limited = Http(http.base, http.post("/tokens", {"description": "limited"}).json["token"])
    other = storage(shared, add_project(shared, "Another project"))

    for each in (limited, other):
        found = each.get("/stats?runId=88").json
        assert found == {
            "tables": {"import": EMPTY, "export": EMPTY},
            "files": {"total": {"count": 0, "dataSizeBytes": 0}},
        }


def test_the_run_must_be_given(http: Http):
    refused = http.get("/stats")

    assert (refused.status, "Say which run" in refused.json["error"]) == (400, True)
