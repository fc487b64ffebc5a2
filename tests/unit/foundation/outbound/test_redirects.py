from __future__ import annotations

from collections.abc import Callable

import pytest

from penstock.foundation.outbound import Refused, TooLarge, Unreachable
from tests.support.patience import PATIENCE
from tests.unit.foundation.outbound.servers import OPEN, Request, Server, fetch, knowing, ok, redirect

Serve = Callable[..., Server]
SECRETS = {
    "Authorization": "Bearer secret",
    "X-API-Key": "secret",
    "Cookie": "session=secret",
    "X-StorageApi-Token": "secret",
    "Anything": "secret",
    "Host": "secret.test",
    "Referer": "http://api.test/?key=secret",
}
HARMLESS = {"Accept": "text/csv", "Accept-Language": "cs", "User-Agent": "mine"}
NAMES = knowing(api_test="127.0.0.1", other_test="127.0.0.1")


def redirecting(to: str, status: int) -> Callable[[Request], bytes]:
    """The first request is sent on, all others are answered."""
    return lambda request: redirect(to, status) if request.path == "/first" else ok(b"")


@pytest.mark.parametrize(
    ("status", "method", "next_method", "has_body"),
    [
        (301, "GET", "GET", False),
        (301, "POST", "GET", False),
        (301, "PUT", "PUT", True),
        (302, "POST", "GET", False),
        (302, "DELETE", "DELETE", True),
        (303, "POST", "GET", False),
        (303, "PUT", "GET", False),
        (303, "HEAD", "HEAD", False),
        (307, "POST", "POST", True),
        (307, "GET", "GET", False),
        (308, "POST", "POST", True),
        (308, "PATCH", "PATCH", True),
    ],
)
def test_a_redirect_repeats_or_becomes_a_get(status: int, method: str, next_method: str, has_body: bool, serve: Serve):
    server = serve(redirecting("/second", status))
    body = None if method in ("GET", "HEAD") else b"{}"

    response = fetch(server.url("/first"), method=method, body=body, headers={"Content-Type": "a/b", "X-Key": "1"})

    first, second = server.requests
    assert (first.method, second.method, second.path) == (method, next_method, "/second")
    assert second.body == (b"{}" if has_body else b"")
    assert ("content-type" in second.headers) == (next_method == method)
    assert second.headers["x-key"] == "1"  # the same host keeps the caller's headers
    assert response.url == server.url("/second")


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_no_header_of_the_caller_reaches_another_host_but_the_harmless(status: int, serve: Serve):
    other = serve(ok())
    server = serve(redirect(other.url("/there", host="other.test"), status))

    fetch(server.url("/?key=secret", host="api.test"), OPEN, NAMES, headers={**SECRETS, **HARMLESS})

    (sent,) = other.requests
    assert "secret" not in repr(sent)
    assert (sent.headers["accept"], sent.headers["accept-language"], sent.headers["user-agent"]) == (
        "text/csv",
        "cs",
        "mine",
    )
    assert sent.headers["host"] == f"other.test:{other.port}"


@pytest.mark.parametrize("host", ["other.test", "api.test"])
def test_another_port_is_another_host(host: str, serve: Serve):
    other = serve(ok())
    server = serve(redirect(other.url(host=host)))

    fetch(server.url(host="api.test"), OPEN, NAMES, headers=SECRETS)

    assert "secret" not in repr(other.requests)


def test_what_was_dropped_stays_dropped_when_a_redirect_leads_back(serve: Serve):
    def reply(request: Request) -> bytes:
        if request.path == "/first":
            return redirect(server.url("/second", host="other.test"))
        return redirect(server.url("/third", host="api.test")) if request.path == "/second" else ok()

    server = serve(reply)

    fetch(server.url("/first", host="api.test"), OPEN, NAMES, headers=SECRETS)

    assert [request.path for request in server.requests] == ["/first", "/second", "/third"]
    assert "secret" in repr(server.requests[0])
    assert "secret" not in repr(server.requests[1:])


@pytest.mark.parametrize("status", [307, 308])
def test_a_body_is_not_carried_to_another_host(status: int, serve: Serve):
    other = serve(ok())
    server = serve(redirect(other.url(host="other.test"), status))

    with pytest.raises(Refused, match=r"api\.test redirects a POST to http://other\.test"):
        fetch(server.url(host="api.test"), OPEN, NAMES, method="POST", body=b"client_secret=secret")
    assert other.connections == 0


def test_five_redirects_are_followed_and_a_sixth_is_not(serve: Serve):
    def reply(request: Request) -> bytes:
        left = int(request.path[1:])
        return redirect(f"/{left - 1}") if left else ok(b"there")

    server = serve(reply)

    assert fetch(server.url("/5")).body == b"there"
    with pytest.raises(Unreachable, match="redirected more than 5 times") as caught:
        fetch(server.url("/30"))
    assert caught.value.kind == "redirects"
    assert len(server.requests) == 12


@pytest.mark.parametrize("location", ["ftp://x.test/", "file:///etc/passwd", "javascript:1", "http://u:p@x.test/"])
def test_only_http_urls_are_followed(location: str, serve: Serve):
    server = serve(redirect(location))

    with pytest.raises(Refused, match=r"127\.0\.0\.1 redirects to a URL that cannot be called"):
        fetch(server.url())


@pytest.mark.parametrize("status", ["300 Multiple Choices", "304 Not Modified", "302 Found", "305 Use Proxy"])
def test_a_status_that_is_not_a_redirect_is_a_response(status: str, serve: Serve):
    server = serve(ok(b"", status))

    assert fetch(server.url()).status == int(status[:3])


def test_the_body_of_a_redirect_is_never_read(serve: Serve):
    server = serve(
        lambda request: (
            redirect("/second").replace(b"Content-Length: 0", b"Content-Length: 9999999999")
            if request.path == "/first"
            else ok(b"there")
        )
    )

    assert fetch(server.url("/first"), max_bytes=100, timeout=PATIENCE).body == b"there"


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_caller_may_follow_redirects_by_its_own_rules(status: int, serve: Serve):
    server = serve(ok(b"moved", f"{status} Moved", {"Location": "/there"}))

    response = fetch(server.url(), follow=False)

    assert (response.status, response.body, response.headers["location"]) == (status, b"moved", "/there")
    assert response.url == server.url()
    assert len(server.requests) == 1


def test_an_answer_that_is_not_followed_has_the_limits_of_any_other(serve: Serve):
    server = serve(ok(b"moved", "302 Found", {"Location": "/there"}))

    with pytest.raises(TooLarge, match="limit of 4 bytes"):
        fetch(server.url(), follow=False, max_bytes=4)


def test_headers_of_several_values_stay_with_their_host_and_only_with_it(serve: Serve):
    other = serve(ok())
    server = serve(
        lambda request: redirect("/second") if request.path == "/" else redirect(other.url(host="other.test"))
    )

    fetch(server.url(host="api.test"), OPEN, NAMES, headers={"X-Key": ["1", "2"], "Accept": ["a/b", "c/d"]})

    assert [head.count(b"X-Key: ") for head in server.heads] == [2, 2]
    assert b"X-Key" not in other.heads[0]
    assert b"Accept: a/b\r\nAccept: c/d\r\n" in other.heads[0]
