"""Signing up, invitations and forgotten passwords at the developer portal, with e-mails and without."""

from __future__ import annotations

import re
import secrets
import shutil
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pyotp
import pytest

from tests.support.http import Http, Response
from tests.support.mail import MailServer
from tests.support.stacks import ServicesOnly
from tests.unit.services.developer.portal import Portal, Vendor
from tests.unit.services.each_database import each_database, open_services
from tests.unit.services.login.people import PASSWORD, as_person, personal_token, sign_in, sign_up
from tests.unit.services.notification.deliveries import deliver_events, send_all

OPEN = {"developer_sign_up": "open", "developer_sign_up_domains": ["example.com"]}
NEW = "another long password"


@pytest.fixture(scope="module")
def mail() -> Generator[MailServer]:
    with MailServer() as server:
        yield server


@each_database
def mailing(
    request: pytest.FixtureRequest, new_data_folder: Path, tmp_path_factory: pytest.TempPathFactory, mail: MailServer
) -> Generator[Portal]:
    """A portal that lets people sign up, of a stack that sends e-mails."""
    settings: dict[str, Any] = {"smtp_host": "localhost", "smtp_port": mail.port, "smtp_tls": "none", **OPEN}
    with open_services(request, new_data_folder, tmp_path_factory.mktemp("mailing") / "data", **settings) as made:
        yield Portal(made)


@pytest.fixture(scope="module")
def silent(new_data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Generator[Portal]:
    """The same of a stack that sends none."""
    folder = tmp_path_factory.mktemp("silent") / "data"
    shutil.copytree(new_data_folder, folder)
    services = ServicesOnly(folder, **OPEN)
    yield Portal(services)
    services.close()


def new_address() -> str:
    return f"dev-{secrets.token_hex(4)}@example.com"


def find_links(portal: Portal, mail: MailServer, email: str) -> list[str]:
    """The paths of the links of the e-mails to an address, the oldest first."""
    deliver_events(portal.services.stack)
    send_all(portal.services.stack)
    texts = [each.text for each in mail.received if each.to == [email]]
    return [found[1] for text in texts if (found := re.search(r"https?://[^/\s]+(/\S+)", text))]


def register(portal: Portal, email: str, **fields: Any) -> Response:
    return portal.anyone.post("/auth/signup", {"email": email, "password": PASSWORD, "name": "Dee", **fields})


def log_in(portal: Portal, email: str, password: str = PASSWORD) -> Response:
    return portal.anyone.post("/auth/login", {"email": email, "password": password})


def test_who_confirms_the_address_becomes_a_user_and_signs_in(mailing: Portal, mail: MailServer) -> None:
    email = new_address()
    made = register(mailing, email.upper())
    assert (made.status, made.json) == (201, {"email": email, "confirmedBy": "email"})
    assert log_in(mailing, email).status == 401
    [link] = find_links(mailing, mail, email)

    page = mailing.anyone.get(link)
    assert (page.status, email in page.text, "<form" in page.text) == (200, True, True)
    assert log_in(mailing, email).status == 401
    assert mailing.anyone.post(link).status == 200
    token = log_in(mailing, email).json["token"]
    profile = mailing.with_token(token).get("/auth/profile").json
    assert profile == {"name": "Dee", "email": email, "vendors": [], "isAdmin": False, "mfa": False}
    assert [mailing.anyone.get(link).status, mailing.anyone.post(link).status] == [404, 404]


def test_a_newer_link_replaces_the_older_one(mailing: Portal, mail: MailServer) -> None:
    email = new_address()
    register(mailing, email)
    assert mailing.anyone.post("/auth/confirm", {"email": email}).status == 204
    first, second = find_links(mailing, mail, email)

    assert mailing.anyone.post(first).status == 404
    assert mailing.anyone.post(second.replace("dev-", "vde-")).status == 404
    assert mailing.anyone.post(second).status == 200


def test_an_address_that_has_a_user_gets_no_e_mail_and_the_user_stays(mailing: Portal, mail: MailServer) -> None:
    user = sign_up(mailing.services)
    made = register(mailing, user.email, password=NEW)

    assert (made.status, set(made.json)) == (201, {"email", "confirmedBy"})
    assert mailing.anyone.post("/auth/confirm", {"email": user.email}).status == 204
    assert mailing.anyone.post("/auth/confirm", {"email": new_address()}).status == 204
    assert find_links(mailing, mail, user.email) == []
    assert (log_in(mailing, user.email).status, log_in(mailing, user.email, NEW).status) == (200, 401)


def test_a_sign_up_that_is_not_valid_is_refused(mailing: Portal) -> None:
    assert register(mailing, new_address(), password="short").status in (400, 422)
    assert register(mailing, "no address").status in (400, 422)
    elsewhere = register(mailing, "dee@elsewhere.example")
    assert (elsewhere.status, "example.com" in elsewhere.json["errorMessage"]) == (403, True)


def test_an_address_can_sign_up_only_so_often(mailing: Portal) -> None:
    email = new_address()
    statuses = [register(mailing, email).status for _ in range(4)]

    assert statuses == [201, 201, 201, 429]


def test_a_stack_lets_nobody_sign_up_unless_it_is_set(portal: Portal) -> None:
    refused = register(portal, new_address())

    assert (refused.status, "developer_sign_up" in refused.json["errorMessage"]) == (403, True)


def test_without_e_mails_an_administrator_confirms(silent: Portal) -> None:
    email = new_address()
    assert register(silent, email).json["confirmedBy"] == "administrator"
    waiting = silent.admin.get(f"/admin/users/{email}").json
    assert (waiting["isConfirmed"], waiting["vendors"]) == (False, [])
    assert email in [each["email"] for each in silent.admin.get("/admin/users").json]

    assert silent.admin.post(f"/admin/users/{email}/confirm").status == 204
    assert silent.admin.post(f"/admin/users/{email}/confirm").status == 404
    assert log_in(silent, email).status == 200
    assert silent.admin.get(f"/admin/users/{email}").json["isConfirmed"] is True


def test_an_administrator_declines_a_sign_up(silent: Portal) -> None:
    email = new_address()
    register(silent, email)

    assert silent.admin.delete(f"/admin/users/{email}").status == 204
    assert silent.admin.get(f"/admin/users/{email}").status == 404
    assert silent.admin.delete(f"/admin/users/{email}").status == 404


def test_a_forgotten_password_is_replaced_with_the_code_of_the_e_mail(mailing: Portal, mail: MailServer) -> None:
    user, other = sign_up(mailing.services), sign_up(mailing.services)
    token = log_in(mailing, user.email).json["token"]
    assert mailing.anyone.post(f"/auth/forgot/{user.email}").status == 204
    assert mailing.anyone.post(f"/auth/forgot/{new_address()}").status == 204
    code = find_links(mailing, mail, user.email)[-1].partition("code=")[2]
    body = {"code": code, "password": NEW}

    assert mailing.anyone.post(f"/auth/forgot/{other.email}/confirm", body).status == 404
    assert mailing.anyone.post(f"/auth/forgot/{user.email}/confirm", {**body, "code": "wrong"}).status == 404
    assert mailing.anyone.post(f"/auth/forgot/{user.email}/confirm", body).status == 204
    assert mailing.anyone.post(f"/auth/forgot/{user.email}/confirm", body).status == 404
    assert (log_in(mailing, user.email).status, log_in(mailing, user.email, NEW).status) == (401, 200)
    assert mailing.with_token(token).get("/auth/profile").status == 401


def test_a_stack_without_e_mails_says_how_else_a_password_is_set(portal: Portal) -> None:
    refused = portal.anyone.post("/auth/forgot/ann@example.com")

    assert (refused.status, "penstock login link" in refused.json["errorMessage"]) == (400, True)


def test_a_user_enables_a_second_factor(portal: Portal) -> None:
    user = sign_up(portal.services)
    client = portal.with_token(log_in(portal, user.email).json["token"])
    setup = client.post("/auth/mfa")
    assert (setup.status, set(setup.json)) == (200, {"secret", "uri"})

    assert client.post("/auth/mfa/confirm", {"code": "wrong"}).status in (400, 401)
    done = client.post("/auth/mfa/confirm", {"code": pyotp.TOTP(setup.json["secret"]).now()})
    assert (done.status, len(done.json["recoveryCodes"])) == (200, 8)
    first = log_in(portal, user.email).json
    assert set(first) == {"session"}
    code = {"email": user.email, "session": first["session"], "code": done.json["recoveryCodes"][0]}
    assert "token" in portal.anyone.post("/auth/login", code).json


def test_a_second_factor_ends_the_sign_ins_that_were_made_without_it(portal: Portal) -> None:
    user = sign_up(portal.services)
    older, person = log_in(portal, user.email).json["token"], sign_in(portal.services, user)["accessToken"]
    client = portal.with_token(log_in(portal, user.email).json["token"])
    setup = client.post("/auth/mfa").json
    assert client.post("/auth/mfa/confirm", {"code": pyotp.TOTP(setup["secret"]).now()}).status == 200

    assert client.get("/auth/profile").status == 200
    assert portal.with_token(older).get("/auth/profile").status == 401
    assert as_person(portal.services, person).get("/v1/auth/me").status == 401


def test_programs_have_no_second_factor(portal: Portal) -> None:
    personal = personal_token(portal.services, sign_up(portal.services))
    by_token = Http(portal.anyone.base, headers={"Authorization": f"Bearer {personal}"})
    for client in (portal.admin, by_token):
        refused = client.post("/auth/mfa")
        assert (refused.status, "second factor" in refused.json["errorMessage"]) == (422, True)


def test_an_invited_user_joins_the_vendor(mailing: Portal, mail: MailServer) -> None:
    vendor, user = mailing.make_vendor(), sign_up(mailing.services)
    assert vendor.client.post(f"/vendors/{vendor.id}/invitations/{user.email}").status == 204
    [link] = find_links(mailing, mail, user.email)

    page = mailing.anyone.get(link)
    assert (page.status, "password" in page.text) == (200, False)
    assert mailing.anyone.post(link).status == 200
    assert _list(vendor) == [user.email]
    assert mailing.anyone.post(link).status == 404


def test_an_invited_person_becomes_a_user_with_a_password(mailing: Portal, mail: MailServer) -> None:
    vendor, email = mailing.make_vendor(), new_address()
    vendor.client.post(f"/vendors/{vendor.id}/invitations/{email}")
    [link] = find_links(mailing, mail, email)

    assert 'name="password"' in mailing.anyone.get(link).text
    nothing = mailing.anyone.post(link, {})
    assert (nothing.status, "`password`" in nothing.json["errorMessage"]) == (422, True)
    assert mailing.anyone.post(link, {"name": "Eve", "password": "short"}).status in (400, 422)
    assert mailing.anyone.post(link, {"name": "Eve", "password": PASSWORD}).status == 200
    token = log_in(mailing, email).json["token"]
    assert mailing.with_token(token).get(f"/vendors/{vendor.id}/apps").status == 200


def test_an_invitation_is_for_its_vendor_and_address(mailing: Portal, mail: MailServer) -> None:
    vendor, other, user = mailing.make_vendor(), mailing.make_vendor(), sign_up(mailing.services)
    vendor.client.post(f"/vendors/{vendor.id}/invitations/{user.email}")
    [link] = find_links(mailing, mail, user.email)

    assert mailing.anyone.post(link.replace(vendor.id, other.id)).status == 404
    assert mailing.anyone.post(link.replace("ann", "bob")).status == 404
    assert mailing.anyone.post(f"{link}x").status == 404
    assert other.client.post(f"/vendors/{vendor.id}/invitations/{user.email}").status == 403
    assert _list(vendor) == []


def test_a_stack_without_e_mails_invites_nobody_and_says_what_to_do(portal: Portal) -> None:
    vendor = portal.make_vendor()
    refused = vendor.client.post(f"/vendors/{vendor.id}/invitations/eve@example.com")

    assert (refused.status, f"/vendors/{vendor.id}/users/" in refused.json["errorMessage"]) == (422, True)


def test_a_user_asks_to_join_and_is_added_or_declined(portal: Portal) -> None:
    vendor = portal.make_vendor()
    users = [sign_up(portal.services) for _ in range(2)]
    for user in users:
        client = portal.with_token(log_in(portal, user.email).json["token"])
        assert [client.post(f"/vendors/{vendor.id}/users").status for _ in range(2)] == [204, 204]
        assert client.get(f"/vendors/{vendor.id}/user-requests").status == 403
    path = f"/vendors/{vendor.id}/user-requests"
    assert [each["email"] for each in vendor.client.get(path).json] == [user.email for user in users]

    assert vendor.client.post(f"/vendors/{vendor.id}/users/{users[0].email}").status == 204
    assert vendor.client.delete(f"/vendors/{vendor.id}/users/{users[1].email}").status == 204
    assert vendor.client.get(path).json == []
    assert _list(vendor) == [users[0].email]
    assert vendor.client.post(f"/vendors/{vendor.id}/users").status == 403


def _list(vendor: Vendor) -> list[str]:
    return [each["email"] for each in vendor.client.get(f"/vendors/{vendor.id}/users").json]
