"""Sandboxes: in the index, with no apps."""

from __future__ import annotations

import pytest

from tests.support.stacks import ServicesOnly

SERVICE = "data-science"


def test_official_programs_find_it_in_the_index(shared: ServicesOnly) -> None:
    services = shared.service("storage", token="").get("/v2/storage?exclude=components").json["services"]
    urls = {each["id"]: each["url"] for each in services}

    assert SERVICE in urls
    assert SERVICE in urls[SERVICE]


@pytest.mark.parametrize(
    "query",
    [
        "",
        "?limit=500&offset=0",
        "?limit=100&offset=100&componentId=keboola.sandboxes&branchId=1&type[]=python&type[]=r",
        "?type=streamlit",
    ],
)
def test_the_list_of_apps_is_empty_on_every_page(shared: ServicesOnly, query: str) -> None:
    """The requests of kbc and of the MCP server."""
    response = shared.service(SERVICE).get(f"/apps{query}")

    assert (response.status, response.json) == (200, [])


@pytest.mark.parametrize("query", ["?limit=0", "?limit=501", "?offset=-1", "?limit=many"])
def test_a_page_that_cannot_be_is_refused(shared: ServicesOnly, query: str) -> None:
    assert shared.service(SERVICE).get(f"/apps{query}").status == 400


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("POST", "/apps", 501), ("PATCH", "/apps/1", 501), ("DELETE", "/apps/1", 501), ("GET", "/apps/1", 404)],
)
def test_what_needs_an_app_is_refused_with_a_sentence(
    shared: ServicesOnly, method: str, path: str, status: int
) -> None:
    body = b'{"type": "streamlit", "branchId": null, "name": "Mine"}'
    response = shared.service(SERVICE).send(method, path, body, {"Content-Type": "application/json"})

    assert (response.status, response.json["code"], response.json["status"]) == (status, status, "error")
    assert response.json["message"] == response.json["error"]
    assert response.json["message"].endswith(".")


def test_a_token_is_needed(shared: ServicesOnly) -> None:
    assert shared.service(SERVICE, token="").get("/apps").status == 401


@pytest.mark.parametrize("label", ["data-science", "sandboxes"])
def test_older_programs_find_it_by_its_other_name(shared: ServicesOnly, label: str) -> None:
    assert shared.service(label).get("/apps").json == []
