from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import pytest

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.http import Message, Request
from penstock.foundation import clock
from tests.unit.extractor.requests.auth.conversation import USERS, read, sign

CREDENTIALS = {"#data": "Token1234", "appKey": "clientId", "#appSecret": "clientSecret"}
JSON = {**CREDENTIALS, "#data": '{"access_token": "t0k3n", "user": {"ids": [7, 8]}, "scope": null}'}
BEARER = {"Authorization": {"function": "concat", "args": ["Bearer ", {"authorization": "data"}]}}


LOGIN_CREDENTIALS = {"#data": '{"refresh_token": "r3fresh", "n": {"m": 5}}', "appKey": 77, "#appSecret": "clientSecret"}
LOGIN = {
    "endpoint": "token",
    "method": "FORM",
    "params": {
        "client_id": {"consumer": "client_id"},
        "client_secret": {"consumer": "client_secret"},
        "refresh_token": {"user": "refresh_token"},
        "deep": {"user": "n.m"},
        "who": {"attr": "who"},
        "grant_type": "refresh_token",
    },
}
API = {"query": {"access_token": {"response": "access_token"}}}


def oauth2(credentials: Any = CREDENTIALS, **settings: Any) -> Any:
    return read({"type": "oauth20", **settings}, {"x": "y"}, credentials)


def test_a_bearer_token_is_a_header_and_the_query_is_re_encoded():
    message = Message("GET", "https://h/a?q=x+y", {"authorization": "other"})

    assert sign(oauth2(headers=BEARER), message).message == Message(
        "GET", "https://h/a?q=x%20y", {"Authorization": "Bearer Token1234"}
    )


def test_json_data_is_asked_by_path():
    auth = oauth2(JSON, format="json", query={"t": {"authorization": "data.access_token"}, "page": "0"})

    assert sign(auth).query == "page=0&t=t0k3n"
    assert sign(oauth2(JSON, format="json", query={"u": {"authorization": "data.user.ids.1"}})).query == "page=1&u=8"


def test_one_context_serves_query_and_headers(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(clock, "source", lambda: datetime(2017, 4, 22, tzinfo=UTC))
    names = ("clientId", "nonce", "timestamp")
    wanted = {name: {"authorization": name} for name in names} | {"resource": {"request": "resource"}}
    signed = sign(oauth2(query=wanted, headers=wanted)).message

    nonce = str(signed.headers["nonce"])
    assert re.fullmatch("[0-9a-f]{16}", nonce)
    assert f"clientId=clientId&nonce={nonce}&timestamp=1492819200&" in signed.url
    assert signed.headers["resource"] == "/users?page=1"  # the message as it came


def test_every_attempt_has_a_new_nonce():
    auth = oauth2(headers={"N": {"authorization": "nonce"}})

    assert sign(auth).message.headers != sign(auth).message.headers


def test_the_configuration_is_out_of_reach():
    with pytest.raises(UserError) as error:
        sign(oauth2(headers={"X": {"attr": "x"}}))

    assert str(error.value).startswith('Invalid configuration: invalid type "object" in headers at path: X')


@pytest.mark.parametrize(
    ("credentials", "form", "message"),
    [
        (None, "text", "OAuth API credentials not supplied in configuration."),
        ({"#data": "x", "appKey": "k"}, "text", "Missing '#appSecret' for OAuth 2.0 authorization."),
        (CREDENTIALS, "xml", "Unknown OAuth data format 'xml'."),
        (CREDENTIALS, "json", "JSON decode error: Syntax error, malformed JSON"),
    ],
)
def test_settings_are_checked_before_anything_is_sent(credentials: Any, form: str, message: str):
    with pytest.raises(UserError) as error:
        oauth2(credentials, format=form)

    assert str(error.value) == message


def test_the_authorization_is_a_secret():
    assert oauth2().secrets == ["Token1234"]
    assert oauth2(JSON, format="json").secrets == ["t0k3n"]


def oauth2_login(credentials: Any = LOGIN_CREDENTIALS, **settings: Any) -> Any:
    auth = {"type": "oauth20.login", "loginRequest": LOGIN, "apiRequest": API, **settings}
    return read(auth, {"who": "me"}, credentials)


def test_a_refresh_token_is_exchanged_for_an_access_token():
    signed = sign(oauth2_login(), USERS, b'{"access_token": "acc3ss"}')

    params = {
        "client_id": "77",
        "client_secret": "clientSecret",
        "refresh_token": "r3fresh",
        "deep": 5,
        "who": "me",
        "grant_type": "refresh_token",
    }
    assert signed.asked == [Request("token", params, "FORM")]
    assert signed.query == "page=1&access_token=acc3ss"


@pytest.mark.parametrize(
    ("credentials", "message"),
    [
        ({}, "OAuth API credentials not supplied in configuration"),
        ({"#data": "{}", "appKey": "k"}, "Missing '#appSecret' for OAuth 2.0 authorization"),
        ({**LOGIN_CREDENTIALS, "#data": "s3cret"}, "The OAuth data is not a valid JSON"),
        ({**LOGIN_CREDENTIALS, "#data": "[1]"}, "The OAuth data is not a valid JSON"),
    ],
)
def test_credentials_are_checked_before_anything_is_sent(credentials: Any, message: str):
    with pytest.raises(UserError) as error:
        oauth2_login(credentials)

    assert str(error.value) == message


def test_a_login_request_is_required_as_for_login():
    with pytest.raises(UserError, match="'loginRequest' is not configured for Login authentication"):
        oauth2_login(loginRequest={})


def test_all_tokens_are_secrets():
    auth = oauth2_login()
    sign(auth, USERS, b'{"access_token": "acc3ss"}')

    assert set(auth.secrets) == {"clientSecret", "r3fresh", "acc3ss"}
