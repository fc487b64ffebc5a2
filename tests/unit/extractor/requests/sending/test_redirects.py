from __future__ import annotations

from typing import Any

import pytest

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.http import Message
from penstock.extractor.requests.sending.redirects import Trusted, redirected, stripped
from penstock.foundation.outbound import Response
from penstock.foundation.redaction import Redactor

URL = "https://h/a/b?x=1"
GET = Message("GET", URL, {"Accept": "x"})
POST = Message("POST", URL, {"Content-Type": "application/json", "content-length": "2", "X-Key": "k"}, b"[]")


def response(status: int, location: str | None = "/next") -> Response:
    return Response.kept(status, "", [] if location is None else [("Location", location)], b"", URL)


def follow(location: str) -> str:
    message = redirected(GET, response(302, location))
    assert message is not None
    return message.url


@pytest.mark.parametrize("status", [300, 301, 302, 303])
def test_a_post_becomes_a_get_without_a_body_and_keeps_its_headers(status: int):
    expected = Message("GET", "https://h/next", {"Content-Type": "application/json", "X-Key": "k"})

    assert redirected(POST, response(status)) == expected
    assert redirected(GET, response(status)) == GET.with_url("https://h/next")


@pytest.mark.parametrize("status", [307, 308])
def test_a_post_stays_a_post(status: int):
    assert redirected(POST, response(status)) == POST.with_url("https://h/next")


@pytest.mark.parametrize(
    ("status", "location"), [(200, "/next"), (201, "/next"), (404, "/next"), (302, None), (302, " "), (304, None)]
)
def test_anything_else_is_an_answer(status: int, location: str | None):
    assert redirected(GET, response(status, location)) is None


@pytest.mark.parametrize(
    ("location", "url"),
    [
        ("c", "https://h/a/c"),
        ("../c", "https://h/c"),
        ("?y=2", "https://h/a/b?y=2"),
        ("//other/c", "https://other/c"),
        ("http://other:80/c#top", "http://other/c"),
        ("https://other", "https://other/"),
        ("https://other/a/../c", "https://other/c"),
        (" /c d ", "https://h/c%20d"),
        ("/\udce9?\udce9", "https://h/%E9?%E9"),
        ("HTTPS://Other/X", "https://Other/X"),
    ],
)
def test_a_location_is_relative_to_where_it_was_found(location: str, url: str):
    assert follow(location) == url


@pytest.mark.parametrize("location", ["ftp://h/x", "javascript:alert(1)", "file:///etc/passwd", "mailto:a@b"])
def test_another_scheme_is_not_followed(location: str):
    with pytest.raises(UserError) as caught:
        follow(location)

    assert str(caught.value) == (
        f"The API request failed: [302] Redirect URI, {location}, does not use one of the allowed redirect protocols: "
        "http, https"
    )


@pytest.mark.parametrize(
    "location", ["http://h:99999/", "http://h:x/", "http://", "http:///x", "http://[::1", "//\udce9/"]
)
def test_what_is_no_address_is_not_followed(location: str):
    with pytest.raises(UserError, match=r"The API request failed: \[302\] The redirect leads to no address: "):
        follow(location)


def test_to_a_strange_server_only_harmless_headers_go():
    headers: dict[str, Any] = {"User-Agent": "x", "accept": "y", "Authorization": "s", "X-Key": "s", "Host": "h"}

    assert stripped(Message("GET", URL, headers), Redactor()).headers == {"User-Agent": "x", "accept": "y"}


def test_to_a_strange_server_no_body_goes():
    with pytest.raises(UserError, match=r"h, which the configuration does not name.*`parameters.api.trustedHosts`"):
        stripped(POST, Redactor())


@pytest.mark.parametrize(
    ("named", "url", "is_trusted"),
    [
        ("https://h/a", "https://h/b", True),
        ("https://h", "https://H:443/", True),
        ("https://h", "http://h/", False),
        ("http://h", "https://h/", True),
        ("http://h:8080", "https://h:8080/", False),
        ("http://h:8080", "https://h/", False),
        ("https://h", "https://h:8443/", False),
        ("https://h", "https://sub.h/", False),
        ("https://h.", "https://h/", True),
        ("https://{1:host}/", "https://h/", False),
    ],
)
def test_a_server_is_trusted_by_scheme_host_and_port(named: str, url: str, is_trusted: bool):
    assert Trusted.of([named]).covers(url) is is_trusted
