from __future__ import annotations

from typing import Any

import pytest

from penstock.extractor.base.http import Request
from tests.support.api import Api, Response
from tests.unit.extractor.requests.client.calling import Calling, failure


def login(api: Api, **more: Any) -> dict[str, Any]:
    api.on("/login", {"token": "t0k3n-of-login"})
    request = {"endpoint": "login", "method": "POST", "params": {"password": {"attr": "#password"}}}
    return {"type": "login", "loginRequest": request, "apiRequest": {"headers": {"X-T": {"response": "token"}}}, **more}


def test_a_login_must_be_among_the_allowed_hosts_too(other: Api, calling: Calling, api: Api):
    port = int(api.url.rpartition(":")[2])
    allowed = {"image_parameters": {"allowed_hosts": [{"host": "127.0.0.1", "port": port}]}}
    auth = {"type": "login", "loginRequest": {"endpoint": f"{other.url}/users"}}

    assert "whitelist" in failure(calling(document=allowed, authentication=auth))


def test_a_login_comes_first_without_defaults_and_only_once(api: Api, calling: Calling):
    http = {"headers": {"X-A": "1"}, "defaultOptions": {"params": {"d": 1}, "headers": {"X-D": "1"}}}
    caller = calling({"#password": "s3cret"}, authentication=login(api), http=http)
    caller.call(Request("users"), Request("users"))

    assert [seen.path for seen in api.seen] == ["/login", "/users", "/users"]
    first, second, _ = api.seen
    assert (first.body, first.headers["x-a"], "x-d" in first.headers) == (b'{"password":"s3cret"}', "1", False)
    assert (second.query, second.headers["x-t"], second.headers["x-d"]) == ("d=1", "t0k3n-of-login", "1")


def test_a_login_is_tried_again_like_any_request(api: Api, calling: Calling):
    settings = login(api)
    api.on("/login", [Response(503), Response.json({"token": "t"})])
    caller = calling({"#password": "s3cret"}, authentication=settings)
    caller.get("users")

    assert caller.waits == [1]


@pytest.mark.parametrize("ignored", [[], [401]])
def test_a_login_that_fails_ends_the_run_even_if_its_status_is_ignored(api: Api, calling: Calling, ignored: list[int]):
    settings = login(api)
    api.on("/login", Response(401, b"no"))

    said = failure(calling({"#password": "x"}, authentication=settings, http={"ignoreErrors": ignored}))
    assert f"[401] Client error: `POST {api.url}/login` resulted in a `401 Unauthorized` response:\nno\n" in said
