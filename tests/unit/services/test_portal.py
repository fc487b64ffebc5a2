"""The portal: the list of services, for programs and for people."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import Any

import pytest

from penstock.app import list_services
from penstock.services.portal.models import ApiEntry, Apis
from penstock.services.portal.page import PLACE, Operation, make_page
from penstock.web import bundle
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

    for link in re.findall(r'href="(http[^"]+)"', page):
        assert Http(link).get("").status == 200, link


def test_the_page_runs_only_its_own_script_and_calls_only_this_stack(shared: ServicesOnly) -> None:
    response = shared.by_host(f"{HOST}:8300").get("/")
    policy = response.headers["content-security-policy"]

    assert "default-src 'none'; script-src 'self';" in policy
    assert "connect-src 'self' http://ai.penstock.localhost:8300 " in policy
    assert "form-action 'none'; frame-ancestors 'none'" in policy
    assert [inside for inside in re.findall(r"<script[^>]*>(.*?)</script>", response.text, re.DOTALL) if inside] == []
    assert not re.search(r"\son\w+=", response.text)


def test_the_page_lists_every_operation_whether_or_not_the_reader_is_built(
    shared: ServicesOnly, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for folder in (tmp_path / "nothing", make_bundle(tmp_path / "bundle")):
        monkeypatch.setattr(bundle, "BUNDLE", folder)
        page = shared.service("portal").get("/").text

        assert "<code>POST /variables</code></td><td>Create a variable</td>" in page
        assert ("is being built" in page) is (folder.name == "nothing")
        assert ('<base href="/_svc/portal/">' in page) is (folder.name == "bundle")


def make_bundle(folder: Path) -> Path:
    (folder / "assets").mkdir(parents=True)
    (folder / "assets/portal.js").write_text("1")
    (folder / "portal.html").write_text(f"<head>{bundle.BASE}</head><noscript>{PLACE}</noscript>")
    return folder


def test_files_of_the_reader_are_served_and_nothing_else(
    shared: ServicesOnly, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(bundle, "BUNDLE", make_bundle(tmp_path))
    portal = shared.service("portal")

    assert portal.get("/assets/portal.js").headers["content-type"].startswith("text/javascript")
    for path in ("nothing.js", "..%2fportal.html", "%2e%2e/portal.html", "%2fetc%2fpasswd", "%00", "a" * 5000):
        assert portal.get(f"/assets/{path}").status == 404


def test_caches_keep_the_compressed_form_of_a_file_apart(
    shared: ServicesOnly, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = make_bundle(tmp_path)
    (folder / "assets/portal.js.gz").write_bytes(gzip.compress(b"1"))
    monkeypatch.setattr(bundle, "BUNDLE", folder)
    portal = shared.service("portal")
    plain, packed = (
        portal.send("GET", "/assets/portal.js", headers={"Accept-Encoding": each}).headers
        for each in ("identity", "gzip")
    )

    assert (plain.get("content-encoding"), packed["content-encoding"]) == (None, "gzip")
    assert all("accept-encoding" in each["vary"].lower() for each in (plain, packed))


HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>$stack&amp;"


def test_every_name_on_the_page_is_escaped() -> None:
    entry = ApiEntry(id="storage", name=HOSTILE, api_url=f"http://x/{HOSTILE}", open_api_spec_url=f"http://y/{HOSTILE}")
    operations = {"storage": [Operation(HOSTILE, HOSTILE, HOSTILE, HOSTILE)]}
    page = make_page(Apis(HOSTILE, [entry]), operations, f"http://z/{HOSTILE}", "/")

    assert "<img" not in page
    assert "<script>" not in page
    assert "alert(1)&lt;/script&gt;&quot;&#x27;&gt;" in page


def test_every_operation_says_what_it_does_what_it_needs_and_what_it_can_refuse(shared: ServicesOnly) -> None:
    for service, document in documents(shared).items():
        for name, operation in operations_of(document):
            assert operation["summary"].strip(), f"{service} {name}"
            assert (
                operation["x-right"]["needs"] in operation["description"]
                or "Needs no token." in operation["description"]
            )
            is_open = operation["x-right"]["id"] == "public"
            assert ("401" in operation["responses"], bool(operation["security"])) == (not is_open, not is_open), name
            assert {"429", "4XX"} <= operation["responses"].keys()


def test_every_operation_has_an_example_where_openapi_has_one(shared: ServicesOnly) -> None:
    for service, document in documents(shared).items():
        for name, operation in operations_of(document):
            status = str(operation["x-example-status"])
            response = operation["responses"][status]
            contents = response.get("content", {}).values()
            assert status.startswith(("2", "3")) or any("example" in each for each in contents), f"{service} {name}"
            in_path = [each for each in operation["parameters"] if each["in"] == "path"]
            assert all("example" in each for each in in_path), f"{service} {name}"


def test_errors_have_the_form_of_their_service(shared: ServicesOnly) -> None:
    forms = {name: document["components"]["schemas"]["Error"] for name, document in documents(shared).items()}

    assert forms["storage"]["properties"]["code"] == {"type": "string"}
    assert forms["queue"]["properties"]["code"] == {"type": "integer"}
    assert "exception" in forms["query"]["required"]
    error = shared.service("queue", "").get("/jobs/1").json
    assert set(forms["queue"]["required"]) <= error.keys()


def documents(services: ServicesOnly) -> dict[str, dict[str, Any]]:
    portal = services.service("portal")
    return {name: portal.get(f"/specs/{name}.json").json for name in by_name(portal.get("/apis.json"))}


def operations_of(document: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return [(f"{method} {path}", row) for path, rows in document["paths"].items() for method, row in rows.items()]
