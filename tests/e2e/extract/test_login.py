"""`penstock extract` against servers that want a login first, and refuse whoever has none."""

from __future__ import annotations

import json
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest

from tests.support.api import Api, Response, Seen
from tests.support.command import extract
from tests.support.extraction import parameters

PASSWORD = "pass/word 1"
REFUSED = Response.json({"message": "log in first"}, 401)


class Door:
    """Issues tokens and knows which of them still work."""

    def __init__(self) -> None:
        self.issued = 0
        self.valid: set[str] = set()

    def issue(self) -> str:
        self.issued += 1
        token = f"t0ken/{self.issued}+secret=="
        self.valid.add(token)
        return token


@pytest.fixture
def door() -> Door:
    return Door()


@pytest.fixture
def api() -> Generator[Api]:
    with Api() as api:
        yield api


@pytest.fixture
def elsewhere() -> Generator[Api]:
    with Api() as api:
        yield api


def configuration(api: Api, authentication: dict[str, Any], *endpoints: str) -> dict[str, Any]:
    jobs = [{"endpoint": endpoint, "dataField": "items"} for endpoint in endpoints or ("users",)]
    document = parameters(api.url, *jobs)
    document["api"]["authentication"] = {"type": "login", **authentication}
    document["config"] |= {"debug": True, "user": "ada", "#password": PASSWORD}
    return document


def one_item(seen: Seen) -> Response:
    return Response.json({"items": [{"path": seen.path}]})


def test_a_token_goes_into_headers_and_query_and_the_login_happens_once(api: Api, door: Door, tmp_path: Path):
    def log_in(seen: Seen) -> Response:
        assert json.loads(seen.body) == {"user": "ada", "password": PASSWORD}
        return Response.json({"session": {"token": door.issue()}})

    def guarded(seen: Seen) -> Response:
        is_known = seen.headers.get("x-token") == seen.params.get("token") and seen.params.get("token") in door.valid
        return one_item(seen) if is_known else REFUSED

    api.on("/login", log_in)
    api.on_everything(guarded)
    login = {"endpoint": "login", "method": "POST", "params": {"user": {"attr": "user"}, "password": secret()}}
    sent = {"headers": {"X-Token": {"response": "session.token"}}, "query": {"token": {"response": "session.token"}}}

    done = extract(configuration(api, {"loginRequest": login, "apiRequest": sent}, "users", "orders?a=1"), tmp_path)

    assert (done.code, done.stderr) == (0, "")
    assert [seen.path for seen in api.seen] == ["/login", "/users", "/orders"]
    assert "x-token" not in api.seen[0].headers
    assert "GET /users?token=[hidden] " in done.log
    assert not any(part in done.all_output for part in ("t0ken", "pass/word", "secret=="))


def secret() -> dict[str, str]:
    return {"attr": "#password"}


def test_a_form_is_answered_with_a_plain_text(api: Api, door: Door, tmp_path: Path):
    def log_in(seen: Seen) -> Response:
        assert seen.headers["content-type"] == "application/x-www-form-urlencoded"
        assert dict(parse_qsl(seen.body.decode())) == {"password": PASSWORD, "again[0]": "x"}
        return Response(body=door.issue().encode(), headers={"Content-Type": "text/plain"})

    def guarded(seen: Seen) -> Response:
        kind, _, token = seen.headers.get("authorization", "").partition(" ")
        return one_item(seen) if kind == "Bearer" and token in door.valid else REFUSED

    api.on("/login", log_in)
    api.on("/users", guarded)
    login = {"endpoint": "login", "method": "FORM", "params": {"password": secret(), "again": ["x"]}}
    bearer = {"function": "concat", "args": ["Bearer ", {"response": "data"}]}
    authentication = {"format": "text", "loginRequest": login, "apiRequest": {"headers": {"Authorization": bearer}}}

    done = extract(configuration(api, authentication), tmp_path)

    assert (done.code, done.column("test.users", "path")) == (0, ["/users"])
    assert "t0ken" not in done.all_output


def test_a_login_may_be_elsewhere_and_each_server_sees_only_its_own(
    api: Api, elsewhere: Api, door: Door, tmp_path: Path
):
    elsewhere.on("/tokens", lambda _: Response.json({"token": door.issue()}))
    api.on("/users", lambda seen: one_item(seen) if seen.params.get("key") in door.valid else REFUSED)
    login = {"endpoint": f"{elsewhere.url}/tokens", "params": {"pw": secret()}, "headers": {"X-Login": "yes"}}

    done = extract(configuration(api, {"loginRequest": login, "apiRequest": {"query": {"key": "token"}}}), tmp_path)

    assert (done.code, done.stderr) == (0, "")
    assert [(seen.path, seen.params) for seen in elsewhere.seen] == [("/tokens", {"pw": PASSWORD})]
    assert [list(seen.params) for seen in api.seen] == [["key"]]
    assert elsewhere.seen[0].headers["x-login"] == "yes"
    assert "x-login" not in api.seen[0].headers


def expiring(api: Api, door: Door, **expires: Any) -> dict[str, Any]:
    """The API takes more than a second for the first page, and by then has forgotten the token."""

    def guarded(seen: Seen) -> Response:
        if seen.headers.get("x-token") not in door.valid:
            return REFUSED
        if seen.path == "/first":
            time.sleep(1.1)
            door.valid.clear()
        return one_item(seen)

    api.on("/login", lambda _: Response.json({"token": door.issue(), "lasts": 0}))
    api.on_everything(guarded)
    authentication = {"loginRequest": {"endpoint": "login"}, "apiRequest": {"headers": {"X-Token": "token"}}, **expires}
    return configuration(api, authentication, "first", "second", "third")


@pytest.mark.parametrize(("expires", "logins"), [({"response": "lasts", "relative": True}, (2, 3)), (-1, (3, 3))])
def test_a_token_that_has_expired_is_replaced_before_it_is_refused(
    api: Api, door: Door, tmp_path: Path, expires: Any, logins: tuple[int, int]
):
    done = extract(expiring(api, door, expires=expires), tmp_path)

    assert (done.code, done.stderr) == (0, "")
    # Two, unless the clock struck the next second between the last two requests.
    assert logins[0] <= door.issued <= logins[1]
    assert "t0ken" not in done.all_output


def test_without_an_expiry_the_old_token_is_refused(api: Api, door: Door, tmp_path: Path):
    done = extract(expiring(api, door), tmp_path)

    assert (done.code, door.issued) == (1, 1)
    assert done.stderr.startswith(
        f"The API request failed: [401] Client error: `GET {api.url}/second` resulted in a `401 Unauthorized` response"
    )
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["report.json"]


def test_a_login_is_retried_and_its_refusal_ends_the_run_without_its_password(api: Api, tmp_path: Path):
    said = f"no entry for {PASSWORD}".encode()
    api.on("/login", [Response(503, headers={"Retry-After": "-1"}), Response(403, said)])
    login = {"endpoint": "login", "method": "POST", "params": {"password": secret()}}
    document = configuration(api, {"loginRequest": login})
    document["api"]["http"] = {"ignoreErrors": [403]}

    done = extract(document, tmp_path)

    assert done.code == 1
    assert done.stderr.startswith(
        f"The API request failed: [403] Client error: `POST {api.url}/login` resulted in a `403 Forbidden` response:\n"
        "no entry for [hidden]"
    )
    assert [seen.path for seen in api.seen] == ["/login", "/login"]
    assert "pass/word" not in done.all_output


@pytest.mark.parametrize(
    ("response", "sentence"),
    [
        (b"[1]", 'The response to the login request should be an object or a scalar value, given "array".'),
        (b"<p>", "Invalid JSON response from API: JSON decode error: "),
        (b"{}", "User script error: Error evaluating user function - response 'token' not found!"),
    ],
)
def test_an_answer_without_a_token_ends_the_run(api: Api, tmp_path: Path, response: bytes, sentence: str):
    api.on("/login", Response(body=response))
    sent = {"headers": {"X-Token": {"response": "token"}}}

    done = extract(configuration(api, {"loginRequest": {"endpoint": "login"}, "apiRequest": sent}), tmp_path)

    assert (done.code, [seen.path for seen in api.seen]) == (1, ["/login"])
    assert done.stderr.startswith(sentence)


def test_an_api_that_repeats_the_token_does_not_bring_it_into_the_log(api: Api, door: Door, tmp_path: Path):
    api.on("/login", lambda _: Response.json({"token": door.issue()}))
    api.on("/users", lambda seen: Response(403, f"{seen.headers['x-token']} may not".encode()))
    authentication = {"loginRequest": {"endpoint": "login"}, "apiRequest": {"headers": {"X-Token": "token"}}}

    done = extract(configuration(api, authentication), tmp_path)

    assert done.code == 1
    assert "[hidden] may not" in done.stderr
    assert "t0ken" not in done.all_output


def test_a_refresh_token_is_exchanged_for_an_access_token(api: Api, elsewhere: Api, door: Door, tmp_path: Path):
    def exchange(seen: Seen) -> Response:
        wanted = {"grant_type": "refresh_token", "refresh_token": "r3fresh", "client_id": "app", "client_secret": "s&1"}
        assert dict(parse_qsl(seen.body.decode())) == wanted
        return Response.json({"access_token": door.issue(), "token_type": "Bearer", "expires_in": 3600})

    def guarded(seen: Seen) -> Response:
        token = seen.headers.get("authorization", "").removeprefix("Bearer ")
        return one_item(seen) if token in door.valid else REFUSED

    elsewhere.on("/oauth/token", exchange)
    api.on_everything(guarded)
    params = {
        "grant_type": "refresh_token",
        "refresh_token": {"user": "refresh_token"},
        "client_id": {"consumer": "client_id"},
        "client_secret": {"consumer": "client_secret"},
    }
    bearer = {"function": "concat", "args": ["Bearer ", {"response": "access_token"}]}
    authentication = {
        "type": "oauth20.login",
        "loginRequest": {"endpoint": f"{elsewhere.url}/oauth/token", "method": "FORM", "params": params},
        "apiRequest": {"headers": {"Authorization": bearer}},
        "expires": {"response": "expires_in", "relative": True},
    }
    credentials = {"#data": '{"refresh_token": "r3fresh"}', "appKey": "app", "#appSecret": "s&1"}
    whole = {
        "parameters": configuration(api, authentication, "users", "orders"),
        "authorization": {"oauth_api": {"credentials": credentials}},
    }

    done = extract(whole, tmp_path)

    assert (done.code, done.stderr, door.issued) == (0, "", 1)
    assert [seen.path for seen in api.seen] == ["/users", "/orders"]
    assert not any(part in done.all_output for part in ("t0ken", "r3fresh", "s&1"))
