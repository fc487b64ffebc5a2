from __future__ import annotations

from typing import Any

import pytest

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.http import Request
from tests.unit.extractor.requests.auth.conversation import USERS, read, sign

CREDENTIALS = {"#data": '{"refresh_token": "r3fresh", "n": {"m": 5}}', "appKey": 77, "#appSecret": "clientSecret"}
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


def oauth2_login(credentials: Any = CREDENTIALS, **settings: Any) -> Any:
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
        ({**CREDENTIALS, "#data": "s3cret"}, "The OAuth data is not a valid JSON"),
        ({**CREDENTIALS, "#data": "[1]"}, "The OAuth data is not a valid JSON"),
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
