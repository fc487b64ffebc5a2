"""Forgotten passwords: a link by e-mail, and nothing that tells who has an account."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from penstock.services.login import attempts
from tests.support.http import Response
from tests.support.mail import MailServer
from tests.support.stacks import ServicesOnly
from tests.unit.services.each_database import each_database, open_services
from tests.unit.services.login.people import (
    PASSWORD,
    Browser,
    add_person,
    as_person,
    audited,
    enable_second_factor,
    log_in,
    management,
    personal_token,
    sign_in,
    sign_up,
)
from tests.unit.services.notification.deliveries import deliver_events, send_all

LINK, PAGE, NEW = "/v1/auth/page/link", "/v1/auth/page/forgotten", "another long password"


@pytest.fixture(scope="module")
def mail() -> Generator[MailServer]:
    with MailServer() as server:
        yield server


@each_database
def stack(
    request: pytest.FixtureRequest, new_data_folder: Path, tmp_path_factory: pytest.TempPathFactory, mail: MailServer
) -> Generator[ServicesOnly]:
    """A stack that sends e-mails."""
    folder = tmp_path_factory.mktemp("mailing") / "data"
    settings = {"smtp_host": "localhost", "smtp_port": mail.port, "smtp_tls": "none", "trusted_proxies": ["127.0.0.1"]}
    with open_services(request, new_data_folder, folder, **settings) as made:
        yield made


def forget(stack: ServicesOnly, email: str, address: str = "127.0.0.1") -> Response:
    client = management(stack)
    client.headers = {"X-Forwarded-For": address}
    return client.post("/v1/auth/password/reset", {"email": email})


def list_links(stack: ServicesOnly, mail: MailServer, email: str) -> list[str]:
    """The codes of the e-mails to an address, the oldest first."""
    deliver_events(stack.stack)
    send_all(stack.stack)
    texts = [each.text for each in mail.received if each.to == [email]]
    return [found[1] for text in texts if (found := re.search(r"/v1/auth/page/link\?code=(\w+)", text))]


def test_requests_of_strangers_do_not_block_the_reset_of_an_address(
    stack: ServicesOnly, later: Callable[..., None]
) -> None:
    user, home = sign_up(stack), "198.51.100.7"
    stranger = [forget(stack, user.email, "203.0.113.5").status for _ in range(attempts.RESETS + 1)]
    others = [forget(stack, user.email, f"203.0.{number}.5").status for number in range(5)]
    first, second = forget(stack, user.email, home), forget(stack, user.email, home)

    assert stranger == [204] * attempts.RESETS + [429]
    assert others == [204] * 5
    assert (first.status, second.status) == (204, 429)
    assert 0 < int(second.headers["retry-after"]) <= attempts.PAUSE.seconds
    later(seconds=attempts.PAUSE.seconds + 1)
    assert forget(stack, user.email, home).status == 204
    assert forget(stack, user.email, "203.0.113.5").status == 429


def test_a_link_by_e_mail_sets_a_new_password_and_ends_all_sign_ins(stack: ServicesOnly, mail: MailServer) -> None:
    user, browser = sign_up(stack), Browser(stack)
    person = as_person(stack, sign_in(stack, user)["accessToken"])
    program = as_person(stack, personal_token(stack, user))
    assert forget(stack, user.email.upper()).status == 204
    [code] = list_links(stack, mail, user.email)

    page = browser.open(f"{LINK}?code={code}")
    assert f"For {user.email}." in page.text
    assert browser.submit(page, LINK, name="", password="short").status == 400
    assert browser.submit(page, LINK, name="", password=NEW).status == 303
    assert (log_in(stack, user).status, log_in(stack, user, NEW).status) == (401, 200)
    assert (person.get("/v1/auth/me").status, program.get("/v1/auth/me").status) == (401, 200)
    assert f"user {user.id}" in {entry.target for entry in audited(stack, "password.changed")}
    assert f"user {user.email}" in {entry.target for entry in audited(stack, "password.resetRequested")}


def test_the_link_works_once_and_for_half_an_hour(
    stack: ServicesOnly, mail: MailServer, later: Callable[..., None]
) -> None:
    user = sign_up(stack)
    for _ in range(2):
        assert forget(stack, user.email).status == 204
    first, second = list_links(stack, mail, user.email)
    assert Browser(stack).send_form(LINK, code=first, password=NEW).status == 303

    for code in (first, second):
        again = Browser(stack).send_form(LINK, code=code, password=PASSWORD)
        assert (again.status, "This link was used before" in again.text) == (404, True)
    forget(stack, user.email)
    *_, third = list_links(stack, mail, user.email)
    later(minutes=31)
    assert Browser(stack).send_form(LINK, code=third, password=PASSWORD).status == 404
    assert log_in(stack, user, NEW).status == 200


def test_the_link_is_not_for_another_user(stack: ServicesOnly, mail: MailServer) -> None:
    user, other, browser = sign_up(stack), sign_up(stack), Browser(stack)
    browser.sign_in(other)
    forget(stack, user.email)
    [code] = list_links(stack, mail, user.email)

    assert browser.send_form(LINK, code=code, password=NEW).status == 403
    assert (log_in(stack, other).status, log_in(stack, user).status) == (200, 200)


def test_the_second_factor_is_still_asked_for(stack: ServicesOnly, mail: MailServer) -> None:
    user, browser = sign_up(stack), Browser(stack)
    _, codes = enable_second_factor(stack, user)
    forget(stack, user.email)
    [code] = list_links(stack, mail, user.email)

    page = browser.send_form(LINK, code=code, password=NEW)
    assert (page.status, "Second factor" in page.text, browser.cookies) == (200, True, {})
    assert browser.submit(page, "/v1/auth/page/code", code=codes[0]).status == 303
    assert browser.cookies


def test_nobody_learns_whether_an_address_has_a_user(stack: ServicesOnly, mail: MailServer) -> None:
    known, without = sign_up(stack), add_person(stack)
    addresses = [known.email, without.email, "nobody@example.com", "not an address", '"><script>@example.com']
    pages = [Browser(stack).send_form(PAGE, email=each) for each in addresses]
    responses = [forget(stack, each) for each in addresses]

    assert {(page.status, page.text) for page in pages} == {(200, pages[0].text)}
    assert {(each.status, each.body) for each in responses} == {(204, b"")}
    assert len(list_links(stack, mail, known.email)) == 2
    assert [list_links(stack, mail, each) for each in addresses[1:]] == [[]] * 4


def test_requests_for_one_address_are_limited_whether_it_has_a_user_or_not(
    stack: ServicesOnly, mail: MailServer, later: Callable[..., None]
) -> None:
    user = sign_up(stack)
    for email in (user.email, "nobody.else@example.com"):
        refused = [forget(stack, email) for _ in range(4)]
        assert [each.status for each in refused] == [204, 204, 204, 429]
        assert "Try again in 15 minutes" in refused[-1].json["error"]
        page = Browser(stack).send_form(PAGE, email=email)
        assert (page.status, "too many" in page.text) == (429, True)
    assert len(list_links(stack, mail, user.email)) == 3
    assert log_in(stack, user).status == 200, "it is not kept from signing in"
    later(minutes=16)
    assert forget(stack, user.email).status == 204


def test_a_page_of_another_site_cannot_ask_for_it(stack: ServicesOnly) -> None:
    browser = Browser(stack, origin="https://evil.example")

    assert browser.send_form(PAGE, email="ann@example.com").status == 403
    assert "E-mail address" in Browser(stack).open(PAGE).text
    assert 'href="forgotten"' in Browser(stack).open("/v1/auth/page/sign-in").text


def test_a_stack_without_a_mail_server_says_whom_to_ask(shared: ServicesOnly) -> None:
    refused = forget(shared, "ann@example.com")

    assert (refused.status, "penstock login link --email" in refused.json["error"]) == (400, True)
    assert "Ask its operator" in Browser(shared).send_form(PAGE, email="ann@example.com").text
