"""Users of the stack at the developer portal: they sign in with their password and code, and belong to vendors."""

from __future__ import annotations

from typing import Any

from penstock.foundation import clock
from penstock.services.management.interface import THE_OPERATOR, User
from penstock.services.management.operations import users
from tests.unit.services.developer.portal import Portal
from tests.unit.services.login.people import (
    PASSWORD,
    as_person,
    enable_second_factor,
    personal_token,
    set_password,
    sign_in,
    sign_up,
)


def log_in(portal: Portal, user: User, **fields: Any) -> dict[str, Any]:
    response = portal.anyone.post("/auth/login", {"email": user.email, "password": PASSWORD, **fields})
    assert response.status == 200, response.text
    return response.json


def profile(portal: Portal, token: str) -> int:
    return portal.with_token(token).get("/auth/profile").status


def make_administrator(portal: Portal) -> User:
    user = sign_up(portal.services)
    with portal.services.stack.database.writing() as tx:
        return users.set_super_admin(tx, THE_OPERATOR, str(user.id), is_super=True)


def test_a_user_of_the_stack_signs_in_and_refreshes(portal: Portal) -> None:
    user = sign_up(portal.services)
    login = log_in(portal, user)
    fresh = portal.with_token(login["refreshToken"]).get("/auth/token").json

    assert set(login) == {"token", "accessToken", "refreshToken", "expiresIn"}
    for token in (login["token"], fresh["token"]):
        assert portal.with_token(token).get("/auth/profile").json == {
            "name": "Ann",
            "email": user.email,
            "vendors": [],
            "isAdmin": False,
            "mfa": False,
        }


def test_a_user_with_a_second_factor_sends_its_code_with_the_session(portal: Portal) -> None:
    user = sign_up(portal.services)
    app, codes = enable_second_factor(portal.services, user)
    first = log_in(portal, user)
    assert set(first) == {"session"}

    wrong = portal.anyone.post("/auth/login", {"email": user.email, "session": first["session"], "code": "000000"})
    done = {"email": user.email, "session": first["session"], "code": codes[0], "challenge": "SOFTWARE_TOKEN_MFA"}
    login = portal.anyone.post("/auth/login", done)
    again = portal.anyone.post("/auth/login", {**done, "code": app.at(clock.now())})

    assert (wrong.status, wrong.json["errorType"]) == (401, "Unauthorized")
    assert portal.with_token(login.json["token"]).get("/auth/profile").json["mfa"] is True
    assert (again.status, "expired or is complete" in again.json["errorMessage"]) == (401, True)


def test_a_wrong_password_and_an_unknown_address_get_the_same_error_until_there_were_too_many(portal: Portal) -> None:
    user = sign_up(portal.services)
    wrong = [portal.anyone.post("/auth/login", {"email": user.email, "password": "wrong"}) for _ in range(11)]
    unknown = portal.anyone.post("/auth/login", {"email": "nobody@example.com", "password": "wrong"})

    assert [each.status for each in wrong] == [401] * 10 + [429]
    assert unknown.json["errorMessage"] == wrong[0].json["errorMessage"]
    assert portal.anyone.post("/auth/login", {"email": user.email, "password": PASSWORD}).status == 429


def test_a_login_needs_a_password_or_a_session_with_a_code(portal: Portal) -> None:
    for body in ({"email": "a@example.com"}, {"email": "a@example.com", "session": "x"}, {"email": "a"}):
        response = portal.anyone.post("/auth/login", body)
        assert (response.status, "`password`" in response.json["errorMessage"]) == (422, True)


def test_a_super_administrator_of_the_stack_is_an_administrator_of_the_portal(portal: Portal) -> None:
    user = make_administrator(portal)
    client = portal.with_token(log_in(portal, user)["token"])
    other = make_administrator(portal)

    assert client.get("/admin/changes").status == 200
    with portal.services.stack.database.writing() as tx:
        users.set_super_admin(tx, THE_OPERATOR, str(user.id), is_super=False)
    assert client.get("/admin/changes").status == 403
    assert portal.with_token(log_in(portal, other)["token"]).get("/auth/profile").json["isAdmin"] is True


def test_a_user_sees_and_changes_the_apps_of_its_vendors_only(portal: Portal) -> None:
    vendor, other = portal.make_vendor(), portal.make_vendor()
    app = vendor.create_app()
    user = sign_up(portal.services)
    client = portal.with_token(log_in(portal, user)["token"])
    assert client.get(app.path).status == 403

    assert vendor.client.post(f"/vendors/{vendor.id}/users/{user.email}").status == 204
    assert vendor.client.post(f"/vendors/{vendor.id}/users/{user.email}").status == 204
    assert client.get(app.path).status == 200
    assert client.get("/auth/profile").json["vendors"] == [{"id": vendor.id, "name": "A vendor"}]
    listed = client.get(f"/vendors/{vendor.id}/users").json
    assert [(each["username"], each["name"]) for each in listed] == [(user.email, "Ann")]
    assert client.get(f"/vendors/{other.id}/apps").status == 403
    assert client.post(f"/vendors/{other.id}/users/{user.email}").status == 403

    assert vendor.client.delete(f"/vendors/{vendor.id}/users/{user.email}").status == 204
    assert client.get(app.path).status == 403


def test_a_vendor_that_waits_does_not_tell_who_is_a_user(portal: Portal) -> None:
    """Everybody may create one."""
    user, asking = sign_up(portal.services), sign_up(portal.services)
    client = portal.with_token(log_in(portal, sign_up(portal.services))["token"])
    own = f"waits{user.id}"
    assert client.post("/vendors", {"id": own, "name": "Mine"}).status == 201
    assert portal.with_token(log_in(portal, asking)["token"]).post(f"/vendors/{own}/users").status == 204
    addresses = (user.email, "nobody@example.com")
    responses = [send(f"/vendors/{own}/users/{each}") for each in addresses for send in (client.post, client.delete)]

    assert {each.status for each in responses} == {404}
    assert {"has asked to" in each.json["errorMessage"] for each in responses} == {True}
    assert client.post(f"/vendors/{own}/users/{asking.email}").status == 204
    portal.admin.post(f"/admin/vendors/{own}/approve")
    assert client.post(f"/vendors/{own}/users/{user.email}").status == 204


def test_who_is_not_a_user_or_not_of_the_vendor_is_not_found(portal: Portal) -> None:
    vendor, user = portal.make_vendor(), sign_up(portal.services)
    unknown = vendor.client.post(f"/vendors/{vendor.id}/users/nobody@example.com")
    not_there = vendor.client.delete(f"/vendors/{vendor.id}/users/{user.email}")

    assert (unknown.status, 'no user "nobody@example.com"' in unknown.json["errorMessage"]) == (404, True)
    assert (not_there.status, "does not belong to the vendor" in not_there.json["errorMessage"]) == (404, True)


def test_a_login_is_among_the_sign_ins_of_its_user_and_ends_with_it(portal: Portal) -> None:
    user = sign_up(portal.services)
    login, kept = log_in(portal, user), log_in(portal, user)
    person = as_person(portal.services, sign_in(portal.services, user)["accessToken"])
    sessions = [each for each in person.get("/v1/auth/sessions").json if each["description"] == "developer portal"]
    assert len(sessions) == 2

    assert person.delete(f"/v1/auth/sessions/{sessions[0]['id']}").status == 204
    assert (profile(portal, login["token"]), profile(portal, kept["token"])) == (401, 200)
    assert portal.with_token(login["refreshToken"]).get("/auth/token").status == 401
    assert portal.with_token(kept["accessToken"]).post("/auth/logout").status == 204
    left = [each["description"] for each in person.get("/v1/auth/sessions").json]
    assert "developer portal" not in left


def test_a_token_of_management_is_not_logged_out_here(portal: Portal) -> None:
    user = sign_up(portal.services)
    for token in (sign_in(portal.services, user)["accessToken"], personal_token(portal.services, user)):
        refused = portal.with_token(token).post("/auth/logout")

        assert (refused.status, "is not one of a login here" in refused.json["errorMessage"]) == (422, True)
        assert profile(portal, token) == 200


def test_a_token_that_expires_creates_no_service_account(portal: Portal) -> None:
    vendor, user = portal.make_vendor(), sign_up(portal.services)
    assert vendor.client.post(f"/vendors/{vendor.id}/users/{user.email}").status == 204
    expiring, lasting = (personal_token(portal.services, user, **how) for how in ({"expiresIn": 600}, {}))
    path, wanted = f"/vendors/{vendor.id}/credentials", {"name": "ci", "description": "for a pipeline"}
    refused = portal.with_token(expiring).post(path, wanted)

    assert (refused.status, "a service account does not" in refused.json["errorMessage"]) == (403, True)
    assert portal.with_token(lasting).post(path, wanted).status == 200


def test_a_new_password_and_the_removal_of_the_user_end_its_logins(portal: Portal) -> None:
    user = sign_up(portal.services)
    before = log_in(portal, user)
    assert set_password(portal.services, user).status == 303
    assert profile(portal, before["token"]) == 401

    login = log_in(portal, user)
    with portal.services.stack.database.writing() as tx:
        users.remove_user(tx, THE_OPERATOR, str(user.id))
        users.ensure_user(tx, user.email)
    assert profile(portal, login["token"]) == 401
    assert portal.with_token(login["refreshToken"]).get("/auth/token").status == 401


def test_a_token_of_the_portal_does_not_open_other_services(portal: Portal) -> None:
    login = log_in(portal, sign_up(portal.services))

    for token in (login["token"], login["refreshToken"]):
        assert as_person(portal.services, token).get("/v1/auth/me").status == 401


def test_a_personal_access_token_opens_the_portal_unless_it_is_limited(portal: Portal) -> None:
    user, vendor = sign_up(portal.services), portal.make_vendor()
    vendor.client.post(f"/vendors/{vendor.id}/users/{user.email}")
    client = as_person(portal.services, personal_token(portal.services, user), "developer")
    limited = as_person(portal.services, personal_token(portal.services, user, onlyReads=True), "developer")

    assert client.get("/auth/profile").json["vendors"] == [{"id": vendor.id, "name": "A vendor"}]
    assert client.get(f"/vendors/{vendor.id}/apps").status == 200
    assert client.get("/auth/token").status == 401
    refused = limited.get("/auth/profile")
    assert (refused.status, "limited" in refused.json["errorMessage"]) == (403, True)


def test_an_account_of_a_program_has_no_address_as_its_name(portal: Portal) -> None:
    vendor = portal.make_vendor()
    made = vendor.client.post(f"/vendors/{vendor.id}/credentials", {"name": "ci@example.com"})

    assert made.status == 422
