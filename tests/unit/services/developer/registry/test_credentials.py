"""Credentials of the registry: for one app, for hours, and no longer than the login that they were made with."""

from __future__ import annotations

from datetime import timedelta

import pytest

from penstock.foundation import clock
from penstock.services.developer import interface as developer
from tests.support.http import Http
from tests.unit.services.developer.portal import App, Portal
from tests.unit.services.developer.registry.images import LAYER, Registry, basic, codes, digest_of, open_registry
from tests.unit.services.login.people import personal_token, sign_up


@pytest.fixture
def app(portal: Portal) -> App:
    return portal.make_vendor().create_app()


def test_the_repository_of_an_app_has_an_address_and_credentials(portal: Portal, app: App) -> None:
    found = app.vendor.client.get(f"{app.path}/repository")
    by_name = Http(app.vendor.client.base, host="developer.penstock.localhost:8300", headers=app.vendor.client.headers)
    named = Http(portal.anyone.base.removesuffix("/_svc/developer"), host=by_name.host, headers=by_name.headers)

    assert found.json["registry"] == portal.anyone.base.removeprefix("http://").removesuffix("/_svc/developer")
    assert found.json["repository"] == f"{app.vendor.id}/{app.id}"
    assert set(found.json["credentials"]) == {"username", "password"}
    assert named.get(f"{app.path}/repository").json["registry"] == "developer.penstock.localhost:8300"


def test_only_who_belongs_to_the_vendor_gets_credentials(portal: Portal, app: App) -> None:
    assert portal.make_vendor().client.get(f"{app.path}/repository").status == 403
    assert portal.anyone.get(f"{app.path}/repository").status == 401
    assert app.vendor.client.get(f"/vendors/{app.vendor.id}/apps/none/repository").status == 404


def test_an_app_whose_id_clients_refuse_has_no_repository(app: App) -> None:
    odd = app.vendor.create_app("ex-odd-")
    refused = app.vendor.client.get(f"{odd.path}/repository")

    assert (refused.status, "cannot be the name of an image" in refused.json["errorMessage"]) == (422, True)


def test_credentials_open_no_other_repository(portal: Portal, app: App) -> None:
    own, other = open_registry(app), open_registry(portal.make_vendor().create_app())
    other.push("1.0.0")
    as_other = Registry(own.http, other.name)
    sibling = Registry(own.http, f"{app.vendor.id}/{app.vendor.create_app('ex-sibling').id}")

    for response in (
        as_other.get("manifests/1.0.0"),
        as_other.get("tags/list"),
        as_other.get(f"blobs/{digest_of(LAYER)}"),
        as_other.http.send("POST", f"{as_other.path}/blobs/uploads/", b""),
        sibling.http.send("POST", f"{sibling.path}/blobs/uploads/", b""),
        Registry(own.http, "nobody/nobody.app").get("tags/list"),
    ):
        assert (response.status, codes(response)) == (403, ["DENIED"])
    assert sibling.get("tags/list").json["tags"] == []


def test_credentials_end_with_their_login_and_after_hours(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    portal = app.vendor.portal
    client = portal.sign_in(*portal.make_account(app.vendor.id))
    registry, kept = open_registry(app, client), open_registry(app)
    assert registry.http.get("/v2/").status == 200

    assert client.post("/auth/logout").status == 204
    assert (registry.http.get("/v2/").status, kept.http.get("/v2/").status) == (401, 200)
    later = clock.now() + timedelta(hours=12, seconds=1)
    monkeypatch.setattr(clock, "now", lambda: later)
    assert kept.http.get("/v2/").status == 401


def test_credentials_end_when_the_account_does_not_belong_to_the_vendor_any_more(portal: Portal, app: App) -> None:
    user = sign_up(portal.services)
    path = f"/vendors/{app.vendor.id}/users/{user.email}"
    assert app.vendor.client.post(path).status == 204
    token = personal_token(portal.services, user)
    registry = open_registry(app, Http(portal.anyone.base, headers={"Authorization": f"Bearer {token}"}))
    registry.push("1.0.0")

    assert app.vendor.client.delete(path).status == 204
    assert registry.get("tags/list").status == 403


def test_other_tokens_do_not_open_the_registry_and_its_credentials_open_nothing_else(app: App) -> None:
    portal, registry = app.vendor.portal, open_registry(app)
    token = portal.log_in(*portal.make_account(app.vendor.id))["token"]
    base = registry.http.base
    password = app.vendor.client.get(f"{app.path}/repository").json["credentials"]["password"]

    wrong = [basic(token), basic(""), basic("wrong"), {"Authorization": "Basic ???"}, {"Authorization": password}]
    for headers in (*wrong, {"Authorization": f"Bearer {password}"}, {"Authorization": "Basic " + "A" * 9000}):
        refused = Http(base, headers=headers).get("/v2/")
        assert (refused.status, "www-authenticate" in refused.headers) == (401, True)
    assert portal.with_token(password).get("/auth/profile").status == 401


def test_a_worker_pulls_the_images_of_a_component_and_nothing_else(portal: Portal, app: App) -> None:
    registry = open_registry(app)
    digest = registry.push("1.0.0")
    sibling = app.vendor.create_app("ex-sibling")
    credentials = developer.make_pull_credentials(portal.services.stack, app.id)
    worker = Registry(Http(registry.http.base, headers=basic(credentials.password)), registry.name)

    assert worker.get("manifests/1.0.0").headers["docker-content-digest"] == digest
    assert worker.get(f"blobs/{digest_of(LAYER)}").body == LAYER
    for response in (
        worker.http.send("POST", f"{worker.path}/blobs/uploads/", b""),
        worker.http.delete(f"{worker.path}/manifests/1.0.0"),
        Registry(worker.http, f"{app.vendor.id}/{sibling.id}").get("tags/list"),
    ):
        assert (response.status, codes(response)) == (403, ["DENIED"])
