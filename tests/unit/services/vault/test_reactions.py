"""Variables of a deleted branch."""

from __future__ import annotations

from penstock.app import list_reactions
from penstock.foundation.events import EventWorker
from tests.support.http import Http
from tests.support.stacks import ServicesOnly, wait_for


def create_branch(http: Http, name: str) -> str:
    job = http.post("/v2/storage/dev-branches", {"name": name}).json
    ended = wait_for(lambda: (found := http.get(f"/v2/storage/jobs/{job['id']}").json)["endTime"] and found)
    return str(ended["results"]["id"])


def delete_branch(http: Http, branch: str) -> None:
    job = http.delete(f"/v2/storage/dev-branches/{branch}").json
    wait_for(lambda: http.get(f"/v2/storage/jobs/{job['id']}").json["endTime"])


def add_variable(services: ServicesOnly, key: str, **attributes: str) -> None:
    wanted = {"key": key, "value": "v", "attributes": attributes}
    assert services.service("vault").post("/variables", wanted).status == 201


def test_the_variables_of_a_deleted_branch_are_removed(services_on_each: ServicesOnly) -> None:
    http = services_on_each.service("storage")
    gone, stays = create_branch(http, "gone"), create_branch(http, "stays")
    add_variable(services_on_each, "host")
    add_variable(services_on_each, "host", branchId=gone)
    add_variable(services_on_each, "host", branchId=stays)
    add_variable(services_on_each, "port", branchId=gone)
    delete_branch(http, gone)
    worker = EventWorker(services_on_each.stack.database, "w", list_reactions())
    while worker.run_one():
        pass

    left = services_on_each.service("vault").get("/variables").json
    assert [variable["attributes"] for variable in left] == [{}, {"branchId": stays}]
