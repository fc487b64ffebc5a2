from __future__ import annotations

from typing import Any

import pytest

from penstock.extractor.base.http import Request
from tests.support.api import Api, Response
from tests.unit.extractor.requests.client.calling import OK, Calling, failure, to


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_followed(api: Api, calling: Calling, status: int):
    api.on("/old/a", Response(status, headers={"Location": "../users?b=2"}))

    assert calling(http={"headers": {"X-A": "1"}}).get("old/a", a=1).url == f"{api.url}/users?b=2"
    assert [seen.headers["x-a"] for seen in api.seen] == ["1", "1"]


@pytest.mark.parametrize(("status", "method"), [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")])
def test_a_redirect_may_turn_a_post_into_a_get(api: Api, calling: Calling, status: int, method: str):
    api.on("/old", Response(status, headers={"Location": "/users"}))
    calling().call(Request("old", {"a": 1}, "POST"))

    assert (api.seen[1].method, api.seen[1].body) == (method, b'{"a":1}' if method == "POST" else b"")


def test_five_redirects_are_followed_and_not_six(api: Api, calling: Calling):
    for number in range(6):
        api.on(f"/{number}", to(f"/{number + 1}"))
    api.on("/6", OK)

    assert calling().get("1").body == b"[1]"
    assert failure(calling(), Request("0")) == "Will not follow more than 5 redirects"


def test_a_failure_after_a_redirect_names_the_last_request(api: Api, calling: Calling):
    api.on("/old", to("/gone"))

    assert f"`GET {api.url}/gone` resulted in a `404" in failure(calling(), Request("old", method="POST"))


def test_a_redirect_to_another_scheme_is_refused(api: Api, calling: Calling):
    api.on("/users", to("ftp://h/x"))

    assert failure(calling()).startswith("The API request failed: [302] Redirect URI, ftp://h/x, does not use one of")


def test_retries_count_for_every_hop_and_repeat_only_the_hop(api: Api, calling: Calling):
    api.on("/old", [Response(500), to("/users")])
    api.on("/users", [Response(500), Response(500), OK])
    caller = calling(retryConfig={"maxRetries": 2})
    caller.get("old")

    assert caller.waits == [1, 1, 2]
    assert [seen.path for seen in api.seen] == ["/old", "/old", "/users", "/users", "/users"]


@pytest.mark.parametrize("status", [304, 300, 302])
def test_a_redirect_without_a_location_is_an_answer(api: Api, calling: Calling, status: int):
    api.on("/users", Response(status))

    assert calling().get("users").status == status


def test_a_server_that_only_an_answer_names_gets_no_credentials_and_no_headers(api: Api, other: Api, calling: Calling):
    api.on("/old", to(f"{other.url}/users?a=1"))
    caller = calling(
        {"username": "ada", "#password": "s3cret", "#key": "k3y"},
        authentication={"type": "basic"},
        http={"headers": {"X-Key": {"attr": "#key"}, "Accept": "text/x"}},
    )

    assert caller.get("old").url == f"{other.url}/users?a=1"
    assert "authorization" in api.seen[0].headers
    (seen,) = other.seen
    assert not {"authorization", "x-key"} & set(seen.headers)
    assert seen.headers["accept"] == "text/x"
    assert any("is not named by the configuration" in warning for warning in caller.warnings)


def test_a_query_with_credentials_is_not_made_for_a_server_that_only_an_answer_names(
    api: Api, other: Api, calling: Calling
):
    api.on("/old", to(f"{other.url}/users?a=1"))
    auth = {"type": "query", "query": {"token": {"attr": "#token"}}}
    calling({"#token": "s3cret"}, authentication=auth).get("old")

    assert (api.asked("/old"), other.asked("/users")) == (["token=s3cret"], ["a=1"])


def test_a_next_page_elsewhere_gets_no_credentials_either(other: Api, calling: Calling):
    caller = calling({"username": "ada", "#password": "s3cret"}, authentication={"type": "basic"})
    caller.get(f"{other.url}/users")

    assert "authorization" not in other.seen[0].headers


def test_no_body_goes_to_a_server_that_only_an_answer_names(api: Api, other: Api, calling: Calling):
    api.on("/old", Response(307, headers={"Location": f"{other.url}/users"}))

    assert "which the configuration does not name" in failure(calling(), Request("old", {"a": 1}, "POST"))
    assert other.seen == []


def test_a_trusted_host_gets_the_credentials(api: Api, other: Api, calling: Calling):
    api.on("/old", to(f"{other.url}/users"))
    login = {"username": "ada", "#password": "s3cret"}
    host = other.url.removeprefix("http://")
    calling(login, authentication={"type": "basic"}, trustedHosts=[host]).get("old")

    assert "authorization" in other.seen[0].headers


def test_every_hop_must_be_among_the_allowed_hosts(api: Api, other: Api, calling: Calling):
    port = int(api.url.rpartition(":")[2])
    allowed = {"image_parameters": {"allowed_hosts": [{"host": "127.0.0.1", "port": port}]}}
    api.on("/old", to(f"{other.url}/users"))

    assert calling(document=allowed).get("users").status == 200
    for request in (Request("old"), Request(f"{other.url}/users")):
        said = failure(calling(document=allowed), request)
        assert said == f'URL "{other.url}/users" is not in the allowed hosts whitelist.'
    assert other.seen == []


def test_a_location_of_any_bytes_can_be_followed_and_logged(api: Api, calling: Calling):
    api.on("/old", to("/é"))
    caller = calling()

    assert f"{api.url}/%E9" in failure(caller, Request("old"))
    assert caller.told.encode()


BASIC: Any = {"authentication": {"type": "basic"}}
LOGIN = {"username": "ada", "#password": "s3cret"}


@pytest.mark.parametrize(
    ("config", "settings"),
    [(LOGIN, BASIC), ({}, {"http": {"headers": {"X-Key": "k"}}})],
)
def test_a_refusal_by_a_server_that_got_no_credentials_says_so(
    api: Api, other: Api, calling: Calling, config: dict[str, Any], settings: dict[str, Any]
):
    api.on("/old", to(f"{other.url}/users"))
    other.on("/users", Response(401, b"who are you?"))

    said = failure(calling(config, **settings), Request("old"))

    assert "resulted in a `401 Unauthorized` response:\nwho are you?\n" in said
    assert f"No credentials were sent to {other.url.removeprefix('http://')}, because" in said


def test_a_refusal_by_a_server_that_is_trusted_or_misses_nothing_is_told_as_it_is(
    api: Api, other: Api, calling: Calling
):
    api.on("/no", Response(401))
    other.on("/no", Response(401))

    assert "No credentials were sent" not in failure(calling(LOGIN, **BASIC), Request("no"))
    assert "No credentials were sent" not in failure(calling(), Request(f"{other.url}/no"))


def test_a_login_that_is_sent_on_elsewhere_says_so_too(api: Api, other: Api, calling: Calling):
    api.on("/login", to(f"{other.url}/login"))
    other.on("/login", Response(403))
    login = {"type": "login", "loginRequest": {"endpoint": "login", "headers": {"X-Key": "k"}}}

    assert "No credentials were sent to" in failure(calling(authentication=login))
