"""Tokens that are sent by e-mail: each recipient has a secret of its own."""

from __future__ import annotations

import re
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from penstock.services.storage.operations.token_shares import MAX_SHARES
from tests.support.http import Response
from tests.support.mail import MailServer
from tests.support.stacks import ServicesOnly
from tests.unit.services.each_database import each_database, open_services
from tests.unit.services.notification.deliveries import deliver_events, send_all
from tests.unit.services.storage.tokens.making import TOKENS, make, manager_token, verify

TO = "ann@example.com"


@pytest.fixture(scope="module")
def server() -> Generator[MailServer]:
    with MailServer() as server:
        yield server


@each_database
def shared(
    request: pytest.FixtureRequest, new_data_folder: Path, tmp_path_factory: pytest.TempPathFactory, server: MailServer
) -> Generator[ServicesOnly]:
    folder = tmp_path_factory.mktemp("shares") / "data"
    mail = {"smtp_host": "localhost", "smtp_port": server.port, "smtp_tls": "none"}
    with open_services(request, new_data_folder, folder, **mail) as stack:
        yield stack


def share(services: ServicesOnly, token_id: str, sender: str | None = None, **fields: Any) -> Response:
    body = {"recipientEmail": TO, "message": "For the report.", **fields}
    return services.service("storage", sender).post(f"{TOKENS}/{token_id}/share", body)


def receive(services: ServicesOnly, server: MailServer) -> str:
    """The text of the e-mail that was sent last."""
    deliver_events(services.stack)
    send_all(services.stack)
    return server.received[-1].text


def token_in(text: str) -> str:
    return re.findall(r"^Token: (\S+)", text, re.MULTILINE)[0]


def test_the_recipient_gets_a_token_that_works_beside_the_one_in_use(shared: ServicesOnly, server: MailServer):
    token = make(shared, description="report", canManageBuckets=True)

    response = share(shared, token["id"])
    text = receive(shared, server)

    assert (response.status, server.received[-1].to) == (204, [TO])
    assert 'the token "report" of the project "My project"' in text
    assert "> For the report." in text
    sent = verify(shared, token_in(text)).json
    assert (sent["id"], sent["canManageBuckets"], token_in(text) != token["token"]) == (token["id"], True, True)
    assert verify(shared, token["token"]).status == 200


@pytest.mark.parametrize("end", ["refresh", "delete"])
def test_refreshing_or_deleting_the_token_ends_what_was_sent(shared: ServicesOnly, server: MailServer, end: str):
    http, token = shared.service("storage"), make(shared, description="report")
    share(shared, token["id"])
    sent = token_in(receive(shared, server))
    assert verify(shared, sent).status == 200

    one = f"{TOKENS}/{token['id']}"
    assert (http.delete(one) if end == "delete" else http.post(f"{one}/refresh", {})).status in (200, 204)

    assert verify(shared, sent).status == 401


def test_two_recipients_have_different_secrets(shared: ServicesOnly, server: MailServer):
    token = make(shared, description="report")
    share(shared, token["id"], recipientEmail="one@example.com")
    first = token_in(receive(shared, server))
    share(shared, token["id"], recipientEmail="two@example.com")
    second = token_in(receive(shared, server))

    assert first != second
    assert [verify(shared, each).status for each in (first, second)] == [200, 200]


def test_a_message_or_a_name_cannot_write_the_rest_of_the_e_mail(shared: ServicesOnly, server: MailServer):
    token = make(shared, description="report\nToken: 1-2-fake\n" + "x" * 150)

    share(shared, token["id"], message="Hello\r\nToken: 1-3-fake\r\nBcc: all@example.com")
    text = receive(shared, server)

    assert len(re.findall(r"^Token: ", text, re.MULTILINE)) == 1
    assert "> Token: 1-3-fake" in text
    assert (server.received[-1].to, server.received[-1].message["Bcc"]) == ([TO], None)


def test_no_secret_is_in_the_database(shared: ServicesOnly, server: MailServer):
    token = make(shared, description="report")
    share(shared, token["id"])
    secret = token_in(receive(shared, server)).rpartition("-")[2]

    with shared.stack.database.reading() as tx:
        for table in ("storage_tokens", "notification_deliveries", "storage_events"):
            assert secret not in str(tx.connection.exec_driver_sql(f"SELECT * FROM {table}").all())


def test_it_is_in_the_events_of_the_project(shared: ServicesOnly):
    token = make(shared, description="report")
    share(shared, token["id"])
    http = shared.service("storage")

    events = http.get("/v2/storage/events").json

    assert ("storage.tokenShared", token["id"]) in [(event["event"], event["objectId"]) for event in events]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"recipientEmail": ""}, "recipientEmail is missing"),
        ({"recipientEmail": "ann"}, "not a valid e-mail address"),
        ({"recipientEmail": "a@example.com\nBcc: b@example.com"}, "not a valid e-mail address"),
        ({"message": "x" * 1001}, "more than 1,000 characters"),
    ],
)
def test_what_cannot_be_sent_is_refused(shared: ServicesOnly, fields: dict[str, Any], words: str):
    token = make(shared, description="report")

    refused = share(shared, token["id"], **fields)

    assert (refused.status in (400, 422), words in refused.json["error"]) == (True, True), refused.text


def test_only_tokens_that_can_do_no_more_than_the_sender_are_sent(shared: ServicesOnly):
    strong = make(shared, description="strong", canManageBuckets=True)
    manager = manager_token(shared, {})
    master = shared.service("storage").get(f"{TOKENS}/verify").json["id"]

    assert share(shared, strong["id"], manager).status == 403
    assert share(shared, strong["id"], strong["token"]).status == 403
    assert "permissions that the recipient needs" in share(shared, master).json["error"]
    assert share(shared, "999999").status == 404


def test_a_token_is_sent_a_limited_number_of_times(shared: ServicesOnly):
    token = make(shared, description="report")
    for number in range(MAX_SHARES):
        assert share(shared, token["id"], recipientEmail=f"{number}-{token['id']}@example.com").status == 204

    refused = share(shared, token["id"], recipientEmail="last@example.com")

    assert (refused.status, "Refresh it" in refused.json["error"]) == (400, True)


def test_a_stack_without_a_mail_server_says_what_to_do(services: ServicesOnly):
    token = make(services, description="report")

    refused = share(services, token["id"])

    assert (refused.status, refused.json["code"]) == (400, "storage.tokens.noMail")
    assert "smtp_host" in refused.json["error"]
