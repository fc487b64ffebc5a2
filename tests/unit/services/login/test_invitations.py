"""Invitations by link, and tokens of people on the Manage API."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from penstock.foundation.database import Transaction
from penstock.services.management import interface as management
from penstock.services.management.models.events import SEALED_FOR
from penstock.services.management.models.memberships import NewMember
from penstock.services.management.operations import invitations
from tests.support.stacks import ServicesOnly
from tests.unit.services.login import people
from tests.unit.services.login.people import (
    PASSWORD,
    Browser,
    as_person,
    log_in,
    personal_token,
    sign_in,
    sign_up,
)

PAGE = "/v1/auth/page/invitation"


def invite(stack: ServicesOnly, email: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The code that the e-mail holds."""
    sent: list[str] = []

    def keep(_tx: Transaction, event: management.InvitationCreated) -> None:
        found = stack.stack.cipher.unseal(bytes.fromhex(event.sealed_code), SEALED_FOR)
        assert found
        sent.append(found.decode())

    monkeypatch.setattr(invitations.events, "publish", keep)
    with stack.stack.database.writing() as tx:
        wanted = NewMember(email=email, role="guest")
        invitations.invite(tx, stack.stack.cipher, management.THE_OPERATOR, "project", stack.project.id, wanted)
    monkeypatch.undo()
    return sent[0]


def test_who_is_new_sets_a_password_and_is_a_member(shared: ServicesOnly, monkeypatch: pytest.MonkeyPatch) -> None:
    code, browser = invite(shared, "new.one@example.com", monkeypatch), Browser(shared)
    page = browser.open(f"{PAGE}?code={code}")
    assert "For new.one@example.com." in page.text
    assert browser.submit(page, PAGE, name="New", password="short").status == 400
    assert browser.submit(page, PAGE, name="New", password=PASSWORD).status == 303

    me = as_person(shared, log_in(shared, "new.one@example.com").json["accessToken"]).get("/v1/auth/me").json
    assert (me["user"]["name"], me["projects"][0]["role"]) == ("New", "guest")
    again = Browser(shared).open(f"{PAGE}?code={code}")
    assert (again.status, "This invitation link does not work" in again.text) == (400, True)


def test_who_has_a_password_signs_in_to_accept(shared: ServicesOnly, monkeypatch: pytest.MonkeyPatch) -> None:
    user, other = sign_up(shared, role=None), sign_up(shared)
    code, browser, stranger = invite(shared, user.email, monkeypatch), Browser(shared), Browser(shared)
    assert "/v1/auth/page/sign-in?next=" in browser.open(f"{PAGE}?code={code}").headers["location"]
    assert browser.send_form(PAGE, code=code, password="a stolen account", name="x").status == 303
    assert log_in(shared, user).status == 200, "the password is the old one"
    stranger.sign_in(other)
    assert stranger.send_form(PAGE, code=code).status == 403
    browser.sign_in(user)
    assert browser.submit(browser.open(f"{PAGE}?code={code}"), PAGE).status == 303

    me = as_person(shared, sign_in(shared, user)["accessToken"]).get("/v1/auth/me").json
    assert [project["role"] for project in me["projects"]] == ["guest"]


def test_an_invitation_is_too_late_after_a_week(
    shared: ServicesOnly, monkeypatch: pytest.MonkeyPatch, later: Callable[..., None]
) -> None:
    code = invite(shared, "late@example.com", monkeypatch)
    later(days=8)

    assert Browser(shared).open(f"{PAGE}?code={code}").status == 400
    assert Browser(shared).send_form(PAGE, code=code, password=PASSWORD, name="x").status == 400


def test_the_manage_api_knows_the_tokens_of_people(shared: ServicesOnly) -> None:
    user = sign_up(shared)
    pair, personal = sign_in(shared, user), personal_token(shared, user)
    for token in (pair["accessToken"], personal):
        client = as_person(shared, token, "connection")
        assert client.get(f"/manage/projects/{shared.project.id}").status == 200
        assert client.get(f"/manage/users/{user.email}").json["email"] == user.email
        assert client.get("/manage/features/1").status == 403
    for limits in ({"onlyReads": True}, {"projectIds": [shared.project.id]}):
        limited = as_person(shared, personal_token(shared, user, **limits), "connection")
        refused = limited.get(f"/manage/projects/{shared.project.id}")
        assert (refused.status, "limited to projects or to reading" in refused.json["error"]) == (403, True)
    for token in (pair["refreshToken"], "kbc_pat_1_" + "0" * 60, "kbc_at_"):
        assert as_person(shared, token, "connection").get(f"/manage/projects/{shared.project.id}").status == 401


def test_signing_in_works_at_the_host_of_storage_too(shared: ServicesOnly) -> None:
    user = sign_up(shared)
    client = shared.by_host("connection.penstock.localhost")
    response = client.post("/v1/auth/login", {"email": user.email, "password": PASSWORD})

    assert response.status == 200


def test_a_lost_second_factor_is_removed_by_a_super_administrator(shared: ServicesOnly) -> None:
    user = sign_up(shared)
    people.enable_second_factor(shared, user)
    with shared.stack.database.writing() as tx:
        _, token = management.create_manage_token(tx, "operator", ["super"])
    client = people.management(shared)
    client.headers = {"X-KBC-ManageApiToken": token}
    assert client.get(f"/manage/users/{user.email}").json["mfaEnabled"]
    assert client.delete(f"/manage/users/{user.email}/mfa").status == 204

    assert not client.get(f"/manage/users/{user.email}").json["mfaEnabled"]
    assert "accessToken" in log_in(shared, user).json
