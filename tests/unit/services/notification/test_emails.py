"""E-mails: sent through a real SMTP server."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.cli.doctor import mail
from penstock.foundation.outbound.mail import Mail, MailError, make_message, send_mail
from penstock.foundation.outbound.mail import MailServer as MailTo
from penstock.foundation.stack import Stack
from penstock.services.management import interface as management
from penstock.services.notification.channels.email import NOT_SET_UP, make_text
from penstock.services.notification.links_by_email import write_invitation
from penstock.settings import Settings
from tests.support.authority import Authority
from tests.support.mail import MailServer
from tests.support.stacks import ServicesOnly
from tests.unit.services.notification.deliveries import (
    happen,
    list_deliveries,
    make_payload,
    send_all,
    subscribe,
    wait_until,
)


@pytest.fixture
def server() -> Generator[MailServer]:
    with MailServer() as server:
        yield server


def sending(stack: Stack, server: MailServer, **settings: Any) -> Stack:
    return stack.with_settings(**{"smtp_host": "localhost", "smtp_port": server.port, "smtp_tls": "none", **settings})


def test_an_event_is_sent_as_an_e_mail(services_on_each: ServicesOnly, server: MailServer) -> None:
    http = services_on_each.service("notification")
    made = subscribe(http, "email", "ops@example.com")
    happen(services_on_each, errorMessage="No such host: api.example.com")
    send_all(sending(services_on_each.stack, server, smtp_sender="alerts@example.com"))

    [received] = server.received
    assert (received.sender, received.to) == ("alerts@example.com", ["ops@example.com"])
    headers = received.message
    assert (headers["From"], headers["To"]) == ("alerts@example.com", "ops@example.com")
    assert headers["Subject"] == "[My project] Shop orders failed"
    assert "No such host: api.example.com" in received.text
    assert "/queue/77" in received.text
    [delivery] = list_deliveries(http, made)
    assert (delivery["status"], delivery["recipient"]) == ("success", made["recipient"])
    assert headers["Message-ID"].startswith(f"<{delivery['id']}@")


def test_the_name_of_a_project_does_not_write_an_invitation(shared: ServicesOnly) -> None:
    name = 'Shop".\r\n\r\nYour account is locked: https://evil.example\r\n' + "x" * 200
    payload = {
        "project_id": 1,
        "invitation_id": 2,
        "email": "ann@example.com",
        "invitor": "bob@example.com",
        "level": "project",
        "to": name,
        "sealed_code": shared.stack.cipher.seal(b"2-code", management.SEALED_FOR).hex(),
    }
    written = write_invitation(shared.stack, payload)
    first, _, rest = written["message"].partition("\n")

    assert first.startswith('bob@example.com invites you to the project "Shop". Your account is locked:')
    assert len(first) < 160
    assert "evil" not in rest
    assert "\n" not in written["title"]


def test_without_an_smtp_server_the_log_says_so_and_it_is_sent_when_there_is_one(
    services: ServicesOnly, server: MailServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    http = services.service("notification")
    made = subscribe(http, "email", "ops@example.com")
    happen(services)
    send_all(services.stack)

    [delivery] = list_deliveries(http, made)
    assert (delivery["status"], delivery["error"]) == ("waiting", NOT_SET_UP)
    assert delivery["nextAttemptAt"]
    wait_until(monkeypatch, minutes=1)
    send_all(sending(services.stack, server))
    assert [each.to for each in server.received] == [["ops@example.com"]]


@pytest.mark.parametrize(
    ("command", "reply", "status"),
    [
        ("RCPT", "550 No such user here", "error"),
        ("RCPT", "451 Try later", "waiting"),
        ("DATA", "554 No spam", "error"),
        ("MAIL", "550 You may not send as this", "waiting"),
        ("EHLO", "421 Busy", "waiting"),
    ],
)
def test_a_refusal_is_final_or_tried_again(
    shared: ServicesOnly, server: MailServer, command: str, reply: str, status: str
) -> None:
    http = shared.service("notification")
    made = subscribe(http, "email", "ops@example.com", "mail-refused")
    server.refuse(command, reply)
    server.refuse("HELO", "421 Busy" if command == "EHLO" else "")
    happen(shared, "mail-refused")
    send_all(sending(shared.stack, server))
    [delivery] = list_deliveries(http, made)
    http.delete(f"/project-subscriptions/{made['id']}")

    assert delivery["status"] == status
    assert reply.split(" ")[0] in delivery["error"]


@pytest.mark.parametrize("mode", ["starttls", "tls"])
def test_the_connection_is_encrypted_and_logged_in(shared: ServicesOnly, tmp_path: Path, mode: str) -> None:
    authority = Authority(tmp_path)
    login = {"smtp_user": "alerts", "smtp_password": "s3cret"}
    made = subscribe(shared.service("notification"), "email", "ops@example.com", f"mail-{mode}")
    happen(shared, f"mail-{mode}")
    tls = authority.context_for("localhost")
    with MailServer(tls, is_wrapped=mode == "tls", login=("alerts", "s3cret")) as server:
        send_all(sending(shared.stack, server, smtp_tls=mode, ca_bundle=str(authority.bundle), **login))
    [received] = server.received

    assert (received.user, received.is_encrypted, received.to) == ("alerts", True, ["ops@example.com"])
    assert list_deliveries(shared.service("notification"), made)[0]["status"] == "success"


def test_an_untrusted_server_or_a_wrong_password_gets_nothing(shared: ServicesOnly, tmp_path: Path) -> None:
    authority, http = Authority(tmp_path), shared.service("notification")
    made = subscribe(http, "email", "ops@example.com", "mail-untrusted")
    errors: list[str] = []
    with MailServer(authority.context_for("localhost"), login=("alerts", "s3cret")) as server:
        for settings in (
            {"smtp_tls": "starttls"},
            {"smtp_tls": "starttls", "ca_bundle": str(authority.bundle), "smtp_user": "a", "smtp_password": "hunter2"},
        ):
            happen(shared, "mail-untrusted")
            send_all(sending(shared.stack, server, **settings))
            errors.append(list_deliveries(http, made)[0]["error"])

    assert server.received == []
    assert "certificate" in errors[0].lower()
    assert "smtp_user" in errors[1]
    assert "hunter2" not in errors[1]


@pytest.mark.parametrize("mode", ["starttls"])
def test_a_server_without_encryption_gets_nothing_unless_that_is_set(
    shared: ServicesOnly, server: MailServer, mode: str
) -> None:
    http = shared.service("notification")
    made = subscribe(http, "email", "ops@example.com", "mail-plain")
    happen(shared, "mail-plain")
    send_all(sending(shared.stack, server, smtp_tls=mode))

    assert server.received == []
    assert "STARTTLS" in list_deliveries(http, made)[0]["error"]


def test_the_doctor_tries_the_server(server: MailServer) -> None:
    settings = Settings(
        smtp_host="localhost", smtp_port=server.port, smtp_tls="none", public_url="https://data.example"
    )
    [tried] = mail.examine(settings)
    server.refuse("EHLO", "421 Busy")
    server.refuse("HELO", "421 Busy")
    [refused] = mail.examine(settings)
    [missing] = mail.examine(Settings())

    assert [check.state for check in (tried, refused, missing)] == ["ok", "wrong", "note"]
    assert server.received == []


@pytest.mark.parametrize(
    ("settings", "is_warned"),
    [
        ({}, True),
        ({"host": "0.0.0.0"}, True),
        ({"domain": "data.example"}, True),
        ({"domain": "data.example", "host": "::1"}, True),
        ({"domain": "data.example", "host": "0.0.0.0"}, False),
        ({"public_url": "https://data.example"}, False),
    ],
)
def test_the_doctor_warns_of_links_that_work_only_on_this_machine(
    server: MailServer, settings: dict[str, Any], is_warned: bool
) -> None:
    smtp = {"smtp_host": "localhost", "smtp_port": server.port, "smtp_tls": "none"}
    _, *warnings = mail.examine(Settings(**smtp, **settings))

    assert [(check.name, check.state) for check in warnings] == ([("links", "note")] if is_warned else [])
    assert all("public_url" in check.fix for check in warnings)


def test_an_e_mail_says_if_its_links_work_only_on_the_machine_of_the_stack(
    shared: ServicesOnly, server: MailServer
) -> None:
    subscribe(shared.service("notification"), "email", "ops@example.com", "mail-linked")
    for public_url in (None, "https://data.example"):
        happen(shared, "mail-linked")
        send_all(sending(shared.stack, server, public_url=public_url))

    local, public = (received.text for received in server.received)
    domain = shared.settings.domain
    assert f"Links to http://connection.{domain}:8300 work only on the machine on which the stack runs." in local
    assert "only on the machine" not in public


@given(st.text(), st.text())
def test_no_text_becomes_a_header_or_a_recipient(subject: str, text: str) -> None:
    made = make_message("penstock@example.com", Mail(id="1@x", to="ops@example.com", subject=subject, text=text))
    raw = made.as_bytes()

    assert set(made.keys()) >= {"From", "To", "Subject", "Date", "Message-ID"}
    names = [line.partition(b":")[0] for line in raw.partition(b"\r\n\r\n")[0].split(b"\r\n") if line[:1] not in b" \t"]
    assert sorted(names) == sorted(key.encode() for key in made)
    assert made["To"] == "ops@example.com"


@pytest.mark.parametrize(
    ("event", "fields", "subject"),
    [
        ("job-succeeded", {}, "[My project] Shop orders succeeded"),
        ("job-succeeded-with-warning", {}, "[My project] Shop orders succeeded with a warning"),
        ("phase-job-failed", {"phase": {"id": "1", "name": "Load"}}, '[My project] Shop orders, phase "Load", failed'),
        (
            "job-processing-long",
            {"averageDuration": 10, "currentDuration": 15},
            "[My project] Shop orders takes longer than usual",
        ),
        ("direct-event", {"title": "Loaded"}, "[My project] Shop orders reports direct-event"),
        ("my-event", {}, "[My project] Shop orders reports my-event"),
    ],
)
def test_the_subject_says_what_happened(shared: ServicesOnly, event: str, fields: dict[str, Any], subject: str) -> None:
    assert make_text(event, make_payload(shared, **fields))[0] == subject


def test_a_direct_message_has_its_own_title(shared: ServicesOnly) -> None:
    payload = make_payload(shared, title="Loaded\r\nBcc: a@b.c", message="All is there.")
    subject, text = make_text("direct-project-email", payload, is_direct=True)

    assert subject == "[My project] Loaded Bcc: a@b.c"
    assert text.startswith("All is there.")


def test_links_stay_as_they_are(shared: ServicesOnly) -> None:
    url = "https://example.com/Flows/aBc?Token=X"
    _, text = make_text("job-failed", make_payload(shared, flow={"id": "1", "url": url}))

    assert f"Flow: {url}\n" in text


def test_an_address_that_no_message_can_have_fails_with_a_reason(server: MailServer) -> None:
    """Such addresses are refused, but one may be in the database."""
    to = MailTo(host="localhost", port=server.port, tls="none", sender="penstock@example.com")
    wrong = Mail(id="1@x", to="=?utf-8?q?a=0d=0ab?=@x.cz", subject="", text="")
    with pytest.raises(MailError, match="cannot be made"):
        send_mail(to, wrong)

    assert server.received == []
