"""What administrators see and change: all apps, users and vendors; and vendors of users, which wait for approval."""

from __future__ import annotations

import json

from tests.support.http import Http, Response
from tests.unit.services.developer.portal import Portal
from tests.unit.services.login.people import PASSWORD, sign_up

IMAGE = {"type": "dockerhub", "uri": "docker.io/acme/app", "tag": "1"}


def patch(client: Http, path: str, **fields: object) -> Response:
    return client.send("PATCH", path, json.dumps(fields).encode(), {"Content-Type": "application/json"})


def test_an_administrator_lists_and_changes_the_apps_of_all_vendors(portal: Portal) -> None:
    app, other = portal.make_vendor().create_app("ex-found"), portal.make_vendor().create_app("ex-else")
    listed = [each["id"] for each in portal.admin.get("/admin/apps").json]
    filtered = [each["id"] for each in portal.admin.get(f"/admin/apps?filter={app.vendor.id.upper()}").json]

    assert {app.id, other.id} <= set(listed)
    assert listed == sorted(listed)
    assert filtered == [app.id]
    assert portal.admin.get("/admin/apps?filter=%25").json == []
    assert patch(portal.admin, f"/admin/apps/{app.id}", requiredMemory="4g").json["requiredMemory"] == "4g"
    assert app.patch(requiredMemory="8g").status == 422
    assert patch(portal.admin, "/admin/apps/no.app", name="x").status == 404
    assert portal.admin.get(f"/admin/apps/{app.id}?published=true").status == 404
    assert portal.admin.get(f"/admin/apps/{app.id}").status == 200


def test_an_administrator_sees_users_with_their_vendors_and_removes_them_from_these(portal: Portal) -> None:
    user, vendor = sign_up(portal.services), portal.make_vendor()
    vendor.client.post(f"/vendors/{vendor.id}/users/{user.email}")
    shown = portal.admin.get(f"/admin/users/{user.email}").json

    assert (shown["vendors"], shown["isAdmin"], shown["isConfirmed"]) == ([vendor.id], False, True)
    assert portal.admin.get("/admin/users?limit=1").json == portal.admin.get("/admin/users").json[:1]
    assert portal.admin.delete(f"/admin/users/{user.email}").status == 204
    assert portal.admin.get(f"/admin/users/{user.email}").json["vendors"] == []
    assert portal.admin.get("/admin/users/nobody@example.com").status == 404


def test_the_stacks_of_the_portal_are_this_one(portal: Portal) -> None:
    [stack] = portal.admin.get("/admin/stacks").json

    assert stack == {"name": "penstock.localhost", "host": "connection.penstock.localhost"}


def test_only_administrators_do_what_administrators_do(portal: Portal) -> None:
    client, vendor = portal.make_vendor().client, portal.make_vendor()
    for path in ("/admin/apps", "/admin/users", "/admin/stacks", "/admin/vendors"):
        assert client.get(path).status == 403
    assert client.post(f"/admin/vendors/{vendor.id}/approve").status == 403


def test_the_vendor_of_a_user_waits_for_approval(portal: Portal) -> None:
    user = sign_up(portal.services)
    login = portal.anyone.post("/auth/login", {"email": user.email, "password": PASSWORD}).json
    client, vendor_id = portal.with_token(login["token"]), f"own-{user.id}"
    made = client.post("/vendors", {"id": vendor_id, "name": "Own"})
    assert (made.status, made.json["isApproved"], made.json["isPublic"]) == (201, False, False)
    again = client.post("/vendors", {"id": f"{vendor_id}-2", "name": "Own"})
    assert (again.status, "waits for the approval" in again.json["errorMessage"]) == (422, True)

    path, app = f"/vendors/{vendor_id}/apps", {"id": "ex-own", "name": "Own", "type": "other", "repository": IMAGE}
    assert client.post(path, app).status == 201
    assert client.post(f"{path}/ex-own/publish").status == 422
    assert portal.admin.post(f"/admin/apps/{vendor_id}.ex-own/publish").status == 422
    assert portal.anyone.get(f"/vendors/{vendor_id}").status == 404
    assert vendor_id in [each["id"] for each in portal.admin.get("/admin/vendors").json]
    approved = portal.admin.post(f"/admin/vendors/{vendor_id}/approve").json
    assert (approved["isApproved"], approved["isPublic"]) == (True, True)
    assert client.post(f"{path}/ex-own/publish").status == 200
    assert client.post("/vendors", {"id": f"{vendor_id}-2", "name": "Own"}).status == 201


def test_a_service_account_creates_no_vendor(portal: Portal) -> None:
    assert portal.make_vendor().client.post("/vendors", {"id": "not-mine", "name": "x"}).status == 403
