from __future__ import annotations

import pytest

from penstock.extractor.base.http import Request
from tests.support.api import Api, Response
from tests.unit.extractor.requests.client.calling import OK, Calling, failure
from tests.unit.extractor.requests.client.test_logins import login


def test_the_answer_to_a_request_is_returned(api: Api, calling: Calling):
    response = calling().get("users", a=1)

    assert (response.status, response.body, response.url) == (200, b"[1]", f"{api.url}/users?a=1")
    assert api.asked("/users") == ["a=1"]


def test_a_post_sends_its_parameters_in_the_body(api: Api, calling: Calling):
    calling().call(Request("users", {"a": 1}, "POST", {"X-A": ["1", "2"]}), Request("users", {"b": "x y"}, "FORM"))

    assert [(seen.method, seen.body) for seen in api.seen] == [("POST", b'{"a":1}'), ("POST", b"b=x+y")]
    assert api.seen[0].headers["content-type"] == "application/json"


def test_headers_of_proxies_are_left_out_with_a_warning_each(api: Api, calling: Calling):
    caller = calling(http={"headers": {"X-A": "1", "X-Forwarded-Host": "h", "forwarded": "host=h"}})
    caller.call(Request("users"), Request("users"))

    for request in api.seen:
        assert request.headers["x-a"] == "1"
        assert not {"x-forwarded-host", "forwarded"} & {name.lower() for name in request.headers}
    assert sorted(warning.split(" is not sent")[0] for warning in caller.warnings) == [
        "The header X-Forwarded-Host",
        "The header forwarded",
    ]


def test_headers_of_the_configuration_go_with_every_request_and_host_is_one_of_them(api: Api, calling: Calling):
    calling(http={"headers": {"X-A": "1", "Host": "virtual.example"}}).get("users")

    assert (api.seen[0].headers["x-a"], api.seen[0].headers["host"]) == ("1", "virtual.example")


def test_requests_are_logged_in_debug_mode_before_each_attempt(api: Api, calling: Calling):
    api.on("/users", [Response(500), OK])
    caller = calling(http={"headers": {"X-A": "1", "X-B": ["2", "3"]}})
    caller.get("users", a=1)

    host = api.url.removeprefix("http://")
    assert caller.told.count(f"logger.DEBUG: GET /users?a=1 HTTP/1.1 Host: {host} X-A: 1 X-B: 2, 3 [] []") == 2


def test_no_secret_is_ever_logged(api: Api, calling: Calling):
    api.on("/users", Response(404, b"s3cret t0k3n-of-login"))
    settings = [
        {"authentication": {"type": "basic"}},
        {"authentication": {"type": "query", "query": {"token": {"attr": "#password"}}}},
        {"authentication": login(api)},
        {"http": {"headers": {"X-Key": {"attr": "#password"}}}},
    ]
    for setting in settings:
        caller = calling({"username": "ada", "#password": "s3cret/+"}, **setting)
        failure(caller)

        assert "logger.DEBUG: GET" in caller.told
        for secret in ("s3cret", "t0k3n-of-login", "YWRhOnMzY3JldC8r", "c3JldC8r"):
            assert secret not in caller.told, setting


def test_requests_keep_to_a_rate_limit(calling: Calling):
    caller = calling(rateLimit={"requests": 2, "interval": 10})
    caller.call(*[Request("users")] * 5)

    assert caller.waits == [10, 10]
    assert "Waiting 10.0 seconds for the rate limit of 127.0.0.1:" in caller.told


@pytest.mark.parametrize("reset", ["30", "1767225630"])
def test_an_api_that_has_no_requests_left_is_left_alone(api: Api, calling: Calling, reset: str):
    api.on("/users", Response(body=b"[1]", headers={"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": reset}))
    undeclared = calling()
    undeclared.call(Request("users"), Request("users"))
    declared = calling(rateLimit={"requests": 100})
    declared.call(Request("users"), Request("users"))

    assert (undeclared.waits, declared.waits) == ([], [30])
