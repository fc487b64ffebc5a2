from __future__ import annotations

from typing import Any

import pytest

from penstock.extractor.base.http import Message
from penstock.extractor.requests.sending.failures import broken_off, failed_request, failed_way
from penstock.foundation.outbound import Refused, Response, TimedOut, TooLarge, Unreachable
from penstock.foundation.redaction import Redactor

URL = "https://h/users"


def said(status: int, body: bytes, reason: str = "Reason", secret: str = "") -> str:
    return str(failed_request("GET", Response.kept(status, reason, [], body, URL), Redactor([secret])))


def test_a_status_is_told_with_the_request_and_the_beginning_of_the_body():
    assert said(404, b'{"error":\n "no"}', "Not Found") == (
        "The API request failed: [404] Client error: `GET https://h/users` resulted in a `404 Not Found` response:\n"
        '{"error":\n "no"}\n'
    )


@pytest.mark.parametrize(("status", "family"), [(400, "Client"), (499, "Client"), (500, "Server"), (503, "Server")])
def test_the_family_of_a_status_says_whose_error_it_is(status: int, family: str):
    assert f"[{status}] {family} error: " in said(status, b"")


def test_a_reason_may_be_empty():
    assert said(500, b"", "").endswith("resulted in a `500 ` response")


@pytest.mark.parametrize("body", [b"", b"\x00", b"a\x1bb", b"\x89PNG\r\n\x1a\n", b"\xff\xfe"])
def test_a_body_that_people_cannot_read_is_not_shown(body: bytes):
    assert said(500, body).endswith("response")


@pytest.mark.parametrize("text", ["x", "é\u00a0€", "a\tb\r\nc", "😀"])
def test_a_body_that_people_can_read_is_shown_as_it_is(text: str):
    assert said(500, text.encode()).endswith(f"response:\n{text}\n")


def test_a_long_body_is_cut_at_120_bytes():
    assert said(500, b"x" * 120).endswith(f":\n{'x' * 120}\n")
    assert said(500, b"x" * 121).endswith(f":\n{'x' * 120} (truncated...)\n")
    assert said(500, b"x" * 119 + "é".encode()).endswith(f":\n{'x' * 119} (truncated...)\n")


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        ("resolve", 6),
        ("connect", 7),
        ("cut", 18),
        ("timeout", 28),
        ("handshake", 35),
        ("empty", 52),
        ("receive", 56),
        ("certificate", 60),
        ("bundle", 77),
    ],
)
def test_a_failure_on_the_way_has_the_number_that_curl_gives_it(kind: Any, code: int):
    message = failed_way(Message("GET", URL), Unreachable(kind, "It failed."))

    assert str(message).startswith(f"CURL error {code}: ")
    assert str(message).endswith("It failed. (GET https://h/users)")


@pytest.mark.parametrize("error", [Refused("No."), Unreachable("protocol", "No."), TooLarge("h", 5)])
def test_a_failure_that_curl_has_no_number_for_is_told_all_the_same(error: Any):
    assert str(failed_way(Message("GET", URL), error)) == f"The API request failed: {error} (GET https://h/users)"


def test_of_an_answer_that_broke_off_there_is_what_came():
    partial = broken_off(URL, Unreachable("cut", "x", 404, b"half"))

    assert partial is not None
    assert (partial.status, partial.body, partial.url) == (404, b"half", URL)
    assert broken_off(URL, TimedOut("x")) is None


@pytest.mark.parametrize("before", range(100, 125))
def test_of_a_secret_at_the_end_of_what_is_shown_nothing_is_left(before: int):
    shown = said(400, b"x" * before + b"correct-horse-battery" + b"y" * 200, secret="correct-horse-battery")
    assert "x" * min(before, 120) in shown
    assert "cor" not in shown


ENCODED = [
    rb"correct\\\/horse\\\u002Bbattery",
    b"correct&#x2F;horse&#043;battery",
    b"correct%252Fhorse%252Bbattery",
    b"Y29ycmVjdC9ob3JzZStiYXR0ZXJ5",
]


@pytest.mark.parametrize("before", [0, 90, 105, 119])
@pytest.mark.parametrize("encoded", ENCODED)
def test_of_an_encoded_secret_nothing_is_left_even_at_the_cut(encoded: bytes, before: int):
    shown = said(400, b"x" * (before - 1) + b" " + encoded + b" " + b"y" * 200, secret="correct/horse+battery")

    assert "[hidden]" in shown
    assert not any(part in shown for part in ("cor", "rse", "tery", "Y29", "JzZ"))


@pytest.mark.parametrize(("body", "before"), [(b"", "response. "), (b"denied", "response:\ndenied\n")])
def test_a_refusal_says_that_no_credentials_were_sent(body: bytes, before: str):
    response = Response.kept(401, "Unauthorized", [], body, URL)

    assert str(failed_request("GET", response, Redactor(), "h:443")).endswith(
        f"{before}No credentials were sent to h:443, because the configuration does not name this host. If it should "
        "get them, add it to `parameters.api.trustedHosts`."
    )


def test_a_server_that_fails_does_not_miss_credentials():
    response = Response.kept(500, "Oops", [], b"", URL)

    assert "credentials" not in str(failed_request("GET", response, Redactor(), "h:443"))
