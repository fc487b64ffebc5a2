"""The portal: the list of services, for programs and for people."""

from __future__ import annotations

import re

import pytest

from penstock.app import list_services
from penstock.services.portal.models import ApiEntry, Apis
from penstock.services.portal.page import make_page
from tests.support.http import Http, Response
from tests.support.stacks import ServicesOnly

HOST = "api.penstock.localhost"


def by_name(apis: Response) -> dict[str, dict[str, str]]:
    return {entry["id"]: entry for entry in apis.json["services"]}


def test_the_list_answers_by_path_to_a_request_by_path(shared: ServicesOnly) -> None:
    apis = shared.service("portal", token="").get("/apis.json")
    bare = f"http://127.0.0.1:{shared.port}/_svc"

    assert apis.json["stack"] == "penstock.localhost"
    assert by_name(apis)["queue"] == {
        "id": "queue",
        "name": "Queue API",
        "apiUrl": f"{bare}/queue",
        "openApiSpecUrl": f"{bare}/portal/specs/queue.json",
    }


def test_the_list_answers_by_host_to_a_request_by_host(shared: ServicesOnly) -> None:
    entry = by_name(shared.by_host(f"{HOST}:8300").get("/apis.json"))["storage"]

    assert entry["apiUrl"] == "http://connection.penstock.localhost:8300"
    assert entry["openApiSpecUrl"] == "http://api.penstock.localhost:8300/specs/storage.json"


def test_only_services_that_are_there_are_listed(shared: ServicesOnly) -> None:
    listed = by_name(shared.service("portal").get("/apis.json"))

    assert listed.keys() == {service.id for service in list_services() if service.listing.is_documented}
    assert {"storage", "encryption", "vault", "queue", "scheduler", "query", "editor"} <= listed.keys()


def test_every_address_in_the_list_answers(shared: ServicesOnly) -> None:
    for entry in by_name(shared.service("portal").get("/apis.json")).values():
        assert Http(entry["apiUrl"]).get("/").status == 200
        document = Http(entry["openApiSpecUrl"]).get("")
        assert document.headers["content-type"] == "application/json"
        assert document.json["info"]["title"] == entry["name"]


@pytest.mark.parametrize(
    ("alias", "title"), [("job-queue.json", "Queue API"), ("connection.json", "Storage API"), ("queue", "Queue API")]
)
def test_the_ids_of_the_hosted_portal_are_known(shared: ServicesOnly, alias: str, title: str) -> None:
    assert shared.service("portal").get(f"/specs/{alias}").json["info"]["title"] == title


@pytest.mark.parametrize("name", ["nothing.json", "portal.json", "sample.json", "..", "storage.txt", ".json"])
def test_an_unknown_specification_is_not_found(shared: ServicesOnly, name: str) -> None:
    response = shared.service("portal").get(f"/specs/{name}")

    assert (response.status, response.headers["content-type"]) == (404, "application/json")


@pytest.mark.parametrize("path", ["", "/"])
def test_people_get_a_page_with_the_same_list(shared: ServicesOnly, path: str) -> None:
    response = shared.service("portal").get(path)

    assert response.headers["content-type"] == "text/html; charset=utf-8"
    for entry in by_name(shared.service("portal").get("/apis.json")).values():
        assert entry["apiUrl"] in response.text
        assert entry["openApiSpecUrl"] in response.text


def test_every_link_of_the_page_answers(shared: ServicesOnly) -> None:
    page = shared.service("portal").get("/").text

    for link in re.findall(r'(?:href|src)="([^"]+)"', page):
        assert Http(link).get("").status == 200, link


def test_the_page_runs_only_its_own_script(shared: ServicesOnly) -> None:
    page = shared.by_host(f"{HOST}:8300").get("/").text
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)

    assert policy
    assert "default-src 'none'" in policy[1]
    assert "script-src http://api.penstock.localhost:8300;" in policy[1]
    assert "form-action 'none'" in policy[1]
    scripts = re.findall(r"<script([^>]*)>(.*?)</script>", page, re.DOTALL)
    assert [inside for _, inside in scripts] == [""]
    assert not re.search(r"\son\w+=", page)


def test_the_script_is_served_as_a_script_and_keeps_no_token(shared: ServicesOnly) -> None:
    script = shared.service("portal").get("/portal.js")

    assert script.headers["content-type"] == "text/javascript; charset=utf-8"
    assert not any(word in script.text for word in ("localStorage", "sessionStorage", "cookie", "innerHTML", "eval"))


HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>$stack&amp;"


def test_every_name_on_the_page_is_escaped() -> None:
    entry = ApiEntry(id="storage", name=HOSTILE, api_url=f"http://x/{HOSTILE}", open_api_spec_url=f"http://y/{HOSTILE}")
    page = make_page(Apis(HOSTILE, [entry]), f"http://z/{HOSTILE}")

    assert "<img" not in page
    assert "<script>" not in page
    assert "alert(1)&lt;/script&gt;&quot;&#x27;&gt;" in page


def test_a_token_is_tried_at_this_stacks_storage(shared: ServicesOnly) -> None:
    page = shared.service("portal").get("/").text

    assert f'data-storage="http://127.0.0.1:{shared.port}/_svc/storage"' in page
