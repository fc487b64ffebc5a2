"""Vendors and apps: who may change what, versions, publishing and what Storage shows."""

from __future__ import annotations

import json

import pytest

from tests.unit.services.developer.portal import Portal, Vendor, make_archive

IMAGE = {"type": "dockerhub", "uri": "docker.io/acme/ex-squares", "tag": "1.0.0"}


@pytest.fixture
def vendor(portal: Portal) -> Vendor:
    return portal.make_vendor()


def test_an_app_has_the_id_of_its_vendor_before_its_own(vendor: Vendor) -> None:
    app = vendor.create_app(shortDescription="Squares of numbers.")
    shown = app.get()

    assert app.id == f"{vendor.id}.ex-squares"
    assert shown["vendor"]["id"] == vendor.id
    assert (shown["version"], shown["isPublic"], shown["isApproved"]) == (1, False, False)
    assert shown["shortDescription"] == "Squares of numbers."
    assert (shown["requiredMemory"], shown["network"], shown["configurationFormat"]) == ("2048m", "bridge", "json")
    assert vendor.client.get(f"/vendors/{vendor.id}/apps/ex-squares").json == shown
    assert [each["id"] for each in vendor.client.get(f"/vendors/{vendor.id}/apps").json] == [app.id]


def test_each_change_is_a_version_and_keeps_what_it_does_not_name(vendor: Vendor) -> None:
    app = vendor.create_app(repository=IMAGE)
    app.patch(repository={"tag": "1.1.0"})
    changed = app.patch(shortDescription="Changed.")

    assert changed.status == 200
    assert changed.json["version"] == 3
    assert changed.json["repository"] == {**IMAGE, "tag": "1.1.0", "options": {}}
    versions = vendor.client.get(f"{app.path}/versions").json
    assert [(each["version"], each["tag"], each["isCurrent"]) for each in versions] == [
        (3, "1.1.0", True),
        (2, "1.1.0", False),
        (1, "1.0.0", False),
    ]
    assert vendor.client.get(f"{app.path}/versions/1").json["repository"]["tag"] == "1.0.0"
    assert [each["version"] for each in vendor.client.get(f"{app.path}/versions?offset=1&limit=1").json] == [2]


def test_a_rollback_is_a_new_version_as_the_old_one_was(vendor: Vendor) -> None:
    app = vendor.create_app(repository=IMAGE, shortDescription="First.")
    app.patch(repository={"tag": "2.0.0"}, shortDescription="Second.")
    back = vendor.client.post(f"{app.path}/versions/1/rollback")

    assert back.status == 201
    assert (back.json["version"], back.json["shortDescription"]) == (3, "First.")
    assert back.json["repository"]["tag"] == "1.0.0"
    assert vendor.client.post(f"{app.path}/versions/9/rollback").status == 404
    assert vendor.client.post(f"{app.path}/versions/x/rollback").status == 404


def test_a_version_is_removed_only_when_it_is_not_the_current_one(vendor: Vendor) -> None:
    app = vendor.create_app()
    app.patch(shortDescription="Second.")

    refused = vendor.client.delete(f"{app.path}/versions/2")
    assert (refused.status, refused.json["errorType"]) == (422, "UnprocessableEntity")
    assert vendor.client.delete(f"{app.path}/versions/1").status == 204
    assert vendor.client.get(f"{app.path}/versions/1").status == 404
    assert app.patch(shortDescription="Third.").json["version"] == 3


@pytest.mark.parametrize(
    "field",
    [
        {"complexity": "easy"},
        {"categories": ["a"]},
        {"category": "a"},
        {"features": ["a"]},
        {"forwardToken": True},
        {"forwardTokenDetails": True},
        {"injectEnvironment": True},
        {"processTimeout": 10},
        {"requiredMemory": "512m"},
    ],
    ids=lambda field: next(iter(field)),
)
def test_only_administrators_set_what_costs_the_stack(vendor: Vendor, field: dict[str, object]) -> None:
    app = vendor.create_app()
    refused = app.patch(**field)
    created = vendor.client.post(
        f"/vendors/{vendor.id}/apps", {"id": "ex-other", "name": "x", "type": "other", **field}
    )
    body = json.dumps(field).encode()
    allowed = vendor.portal.admin.send("PATCH", app.path, body, {"Content-Type": "application/json"})

    assert (refused.status, created.status) == (422, 422)
    assert refused.json["errorMessage"] == f"Only an administrator of the stack may set {next(iter(field))}."
    assert allowed.status == 200
    assert allowed.json[next(iter(field))] == next(iter(field.values()))


def test_a_vendor_does_not_get_back_what_an_administrator_took_by_a_rollback(vendor: Vendor) -> None:
    app, headers = vendor.create_app(), {"Content-Type": "application/json"}
    for body in (b'{"forwardToken": true}', b'{"forwardToken": false}'):
        vendor.portal.admin.send("PATCH", app.path, body, headers)
    refused = vendor.client.post(f"{app.path}/versions/2/rollback")

    assert refused.status == 422
    assert app.get()["forwardToken"] is False


def test_what_belongs_to_a_vendor_is_closed_to_others(portal: Portal, vendor: Vendor) -> None:
    app, other = vendor.create_app(), portal.make_vendor()
    before = app.get()
    for method, path in [
        ("GET", app.path),
        ("PATCH", app.path),
        ("DELETE", app.path),
        ("GET", f"/vendors/{vendor.id}/apps"),
        ("POST", f"{app.path}/publish"),
        ("POST", f"{app.path}/deprecate"),
        ("GET", f"{app.path}/versions"),
        ("POST", f"{app.path}/versions"),
        ("DELETE", f"{app.path}/versions/1"),
        ("POST", f"{app.path}/versions/1/rollback"),
        ("GET", f"{app.path}/repository"),
        ("PATCH", f"/vendors/{vendor.id}"),
    ]:
        response = other.client.send(method, path, b"{}", {"Content-Type": "application/json"})
        assert response.status == 403, f"{method} {path}: {response.text}"
    for method, path in [("POST", f"/admin/apps/{app.id}/publish"), ("GET", "/admin/changes")]:
        assert vendor.client.send(method, path, b"{}", {"Content-Type": "application/json"}).status == 403
    # By the path of a vendor that one belongs to, nothing of others is found.
    assert other.client.get(f"/vendors/{other.id}/apps/{app.id}").status == 404
    made = other.client.post(f"/vendors/{vendor.id}/credentials", {"name": "mine"})
    assert made.status == 403
    assert app.get() == before


def test_an_app_is_public_once_an_administrator_has_approved_it(portal: Portal, vendor: Vendor) -> None:
    app = vendor.create_app(repository=IMAGE, imageParameters={"host": "example.com"})
    storage = portal.services.service("storage")
    hidden = portal.anyone.get(f"/apps/{app.id}").status, storage.get(f"/v2/storage/components/{app.id}").status

    asked = vendor.client.post(f"{app.path}/publish")
    waiting = portal.admin.get("/admin/changes").json
    app.approve()
    public = portal.anyone.get(f"/apps/{app.id}")

    assert hidden == (404, 404)
    assert asked.json["publishRequestedBy"]
    assert asked.json["isPublic"] is False
    assert [each["id"] for each in waiting] == [app.id]
    assert public.status == 200
    assert "imageParameters" not in public.json
    assert app.id in [each["id"] for each in portal.anyone.get("/apps").json]
    assert portal.admin.get("/admin/changes").json == []
    assert storage.get(f"/v2/storage/components/{app.id}").json["data"]["definition"] == {
        key: IMAGE[key] for key in ("uri", "tag", "type")
    }


def test_a_rejected_app_says_why_and_is_not_in_storage(portal: Portal, vendor: Vendor) -> None:
    app = vendor.create_app(repository=IMAGE)
    app.approve()
    rejected = portal.admin.post(f"/admin/apps/{app.id}/reject", {"reason": "It has no documentation."})

    assert rejected.json["publishRejection"] == "It has no documentation."
    assert portal.anyone.get(f"/apps/{app.id}").status == 404
    assert portal.services.service("storage").get(f"/v2/storage/components/{app.id}").status == 404


def test_an_app_without_a_program_cannot_be_published(vendor: Vendor) -> None:
    refused = vendor.client.post(f"{vendor.create_app().path}/publish")

    assert refused.status == 422
    assert "has no program yet" in refused.json["errorMessage"]


def test_storage_shows_the_app_in_its_own_words(portal: Portal, vendor: Vendor) -> None:
    app = vendor.create_app(
        repository=IMAGE,
        shortDescription="Squares.",
        longDescription="Of numbers.",
        documentationUrl="https://example.com/docs",
        icon32="https://example.com/32.png",
        icon64="https://example.com/64.png",
        uiOptions=["genericDockerUI"],
        actions=["run-test"],
        defaultBucket=True,
        network="none",
        logger="gelf",
        loggerConfiguration={"gelf_server_type": "udp"},
        configurationSchema={"type": "object"},
        emptyConfiguration={"parameters": {}},
        configurationDescription="Set count.",
    )
    app.approve()
    shown = portal.services.service("storage").get(f"/v2/storage/components/{app.id}").json

    assert {key: shown[key] for key in ("id", "type", "name", "description", "longDescription", "version")} == {
        "id": app.id,
        "type": "extractor",
        "name": "Squares",
        "description": "Squares.",
        "longDescription": "Of numbers.",
        "version": 1,
    }
    assert (shown["ico32"], shown["ico64"]) == ("https://example.com/32.png", "https://example.com/64.png")
    assert shown["documentationUrl"] == "https://example.com/docs"
    assert shown["flags"] == ["genericDockerUI"]
    assert shown["configurationSchema"] == {"type": "object"}
    assert shown["emptyConfiguration"] == {"parameters": {}}
    data = shown["data"]
    assert (data["memory"], data["network"], data["default_bucket"]) == ("2048m", "none", True)
    assert data["synchronous_actions"] == ["run-test"]
    assert (data["logging"]["type"], data["logging"]["gelf_server_type"]) == ("gelf", "udp")


def test_a_deprecated_app_names_its_replacement_and_still_works(portal: Portal, vendor: Vendor) -> None:
    app = vendor.create_app(repository=IMAGE)
    app.approve()
    wanted = {"expiredOn": "2030-01-01T00:00:00Z", "replacementApp": "acme.ex-cubes"}
    shown = vendor.client.post(f"{app.path}/deprecate", wanted).json

    assert (shown["isDeprecated"], shown["replacementApp"]) == (True, "acme.ex-cubes")
    assert shown["expiredOn"].startswith("2030-01-01T00:00:00")
    assert portal.services.service("storage").get(f"/v2/storage/components/{app.id}").status == 200


def test_a_removed_app_is_gone_and_its_id_is_free(vendor: Vendor) -> None:
    app = vendor.create_app()
    removed = vendor.client.delete(app.path)

    assert (removed.status, removed.json["id"]) == (200, app.id)
    assert vendor.client.get(app.path).status == 404
    assert vendor.create_app().get()["version"] == 1


@pytest.mark.parametrize(
    "fields",
    [
        {"id": "ab"},
        {"id": "Upper-Case"},
        {"id": "dots.in-it"},
        {"id": "a" * 65},
        {"id": "line\n"},
        {"name": ""},
        {"name": "x" * 129},
        {"type": "nonsense"},
        {"network": "all"},
        {"repository": {"type": "archive"}},
        {"repository": {"tag": "a b"}},
        {"repository": {"uri": "image:latest"}},
        {"repository": {"uri": "--privileged"}},
        {"defaultBucketStage": "middle"},
        {"uiOptions": "text"},
    ],
    ids=str,
)
def test_a_wrong_field_is_refused_by_its_name(vendor: Vendor, fields: dict[str, object]) -> None:
    wanted = {"id": "ex-fine", "name": "Fine", "type": "other", **fields}
    response = vendor.client.post(f"/vendors/{vendor.id}/apps", wanted)

    assert response.status == 422, response.text
    assert next(iter(fields)) in response.json["errorMessage"]


def test_a_secret_in_plain_text_is_refused(vendor: Vendor) -> None:
    app = vendor.create_app()
    refused = app.patch(imageParameters={"api": {"#token": "hush"}})
    published = app.upload(make_archive(app.id, image_parameters={"#token": "hush"}))

    assert (refused.status, published.status) == (422, 422)
    assert "imageParameters.api.#token is a secret in plain text" in refused.json["errorMessage"]
    assert app.patch(imageParameters={"#token": ""}).status == 200


def test_ids_are_given_once(portal: Portal, vendor: Vendor) -> None:
    vendor.create_app()
    again = vendor.client.post(f"/vendors/{vendor.id}/apps", {"id": "ex-squares", "name": "x", "type": "other"})
    same_vendor = portal.admin.post("/vendors", {"id": vendor.id, "name": "Other"})
    portal.admin.post("/vendors", {"id": "keboola", "name": "Keboola"})
    shipped = portal.admin.post("/vendors/keboola/apps", {"id": "duckdb-transformation", "name": "x", "type": "other"})

    assert (again.status, same_vendor.status, shipped.status) == (422, 422, 422)


def test_a_vendor_is_changed_by_its_own_and_published_by_an_administrator(portal: Portal, vendor: Vendor) -> None:
    headers = {"Content-Type": "application/json"}
    path = f"/vendors/{vendor.id}"
    renamed = vendor.client.send("PATCH", path, b'{"name": "Renamed"}', headers)
    refused = vendor.client.send("PATCH", path, b'{"isPublic": false}', headers)
    hidden = portal.admin.send("PATCH", path, b'{"isPublic": false}', headers)

    assert (renamed.status, renamed.json["name"]) == (200, "Renamed")
    assert (refused.status, hidden.status) == (422, 200)
    assert portal.anyone.get(path).status == 404
    assert vendor.id not in [each["id"] for each in portal.anyone.get("/vendors").json]


@pytest.mark.parametrize("query", ["limit=0", "limit=1001", "offset=-1", "limit=x"])
def test_pages_have_their_limits(portal: Portal, query: str) -> None:
    assert portal.anyone.get(f"/apps?{query}").status == 422
