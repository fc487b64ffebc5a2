from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oauthlib.oauth1.rfc5849 import signature

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.http import Message
from penstock.extractor.requests.auth.oauth1 import OAuth1
from penstock.extractor.requests.sending.query import build_query
from penstock.foundation import clock
from tests.unit.extractor.requests.auth.conversation import read, sign

DATA = {"oauth_token": "userToken", "oauth_token_secret": "tokenSecret"}
CREDENTIALS = {"#data": json.dumps(DATA), "appKey": 1234, "#appSecret": "TopSecret"}
FORM = "application/x-www-form-urlencoded"
oauthlib: Any = signature
AUTH = OAuth1(consumer_key="key", consumer_secret="s&cret", token="tok en", token_secret="t~s")
TEXTS = st.text("aZ0[]~ é&=+/%-_.", max_size=5)
PARAMS = st.dictionaries(TEXTS.filter(bool), TEXTS | st.lists(TEXTS, min_size=2, max_size=3), max_size=4)


def parts_of(header: str) -> dict[str, str]:
    return {name: unquote(value) for name, value in re.findall(r'(oauth_\w+)="([^"]*)"', header)}


def signature_by_oauthlib(message: Message, header: str) -> str:
    url = urlsplit(message.url)
    headers = {"Authorization": header, **{name: str(value) for name, value in message.headers.items()}}
    body = (message.body or b"").decode() if message.headers.get("Content-Type") == FORM else ""
    params = oauthlib.collect_parameters(url.query, body, headers)
    address = oauthlib.base_string_uri(message.url)
    base = oauthlib.signature_base_string(message.method, address, oauthlib.normalize_parameters(params))
    client = SimpleNamespace(client_secret=AUTH.consumer_secret, resource_owner_secret=AUTH.token_secret)
    return oauthlib.sign_hmac_sha1_with_client(base, client)


@pytest.mark.parametrize(
    "message",
    [
        Message("GET", "http://mock.example/users"),
        Message("GET", "http://mock.example:8080/users?b=2&a=1&a=0&c=x%20y"),
        Message("GET", "https://mock.example:443?a%5B0%5D=1&aZ=2"),
        Message("GET", "https://mock.example/a%20b/?q=a%2Bb&empty="),
        Message("POST", "https://mock.example/a?q=1", {"Content-Type": FORM}, b"b=x+y&a%5B0%5D=%C3%A9&q=2"),
        Message("POST", "https://mock.example/a?q=1", {"Content-Type": "application/json"}, b'{"a":1}'),
    ],
)
def test_the_signature_is_that_of_oauthlib(message: Message):
    header = AUTH.authorization(message, "0123456789", 1492904452)

    assert parts_of(header)["oauth_signature"] == signature_by_oauthlib(message, header)


@given(PARAMS, PARAMS)
def test_any_query_and_form_is_signed_as_oauthlib_does(query: dict[str, Any], form: dict[str, Any]):
    url = f"https://mock.example/a?{build_query(query)}"
    message = Message("POST", url, {"Content-Type": FORM}, build_query(form).encode())
    header = AUTH.authorization(message, "n", 1)

    assert parts_of(header)["oauth_signature"] == signature_by_oauthlib(message, header)


def test_the_header_holds_sorted_and_encoded_parameters(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(clock, "source", lambda: datetime(2017, 4, 22, tzinfo=UTC))
    header = str(sign(read({"type": "oauth10"}, None, CREDENTIALS)).message.headers["Authorization"])
    parts = parts_of(header)

    assert header.startswith('OAuth oauth_consumer_key="1234", oauth_nonce="')
    assert header.endswith('oauth_timestamp="1492819200", oauth_token="userToken", oauth_version="1.0"')
    assert list(parts) == sorted(parts)
    assert re.fullmatch("[0-9a-f]{40}", parts["oauth_nonce"])
    assert parts["oauth_signature_method"] == "HMAC-SHA1"


def test_every_message_has_its_own_nonce_and_its_query_as_it_was():
    auth = read({"type": "oauth10"}, None, CREDENTIALS)
    message = Message("GET", "https://h/a?q=x+y")

    assert sign(auth, message).message.headers != sign(auth, message).message.headers
    assert sign(auth, message).message.url == message.url


@pytest.mark.parametrize(
    ("credentials", "message"),
    [
        (None, "OAuth API credentials not supplied in configuration."),
        ({}, "OAuth API credentials not supplied in configuration."),
        ({"appKey": "k", "#appSecret": "s"}, "Missing '#data' for OAuth 1.0 authorization."),
        ({**CREDENTIALS, "appKey": ""}, "Missing 'appKey' for OAuth 1.0 authorization."),
        ({**CREDENTIALS, "#appSecret": "0"}, "Missing '#appSecret' for OAuth 1.0 authorization."),
        ({**CREDENTIALS, "#data": "{s3cret"}, "The OAuth #data is not a valid JSON."),
        ({**CREDENTIALS, "#data": "[1]"}, "Key 'oauth_api.credentials'.#data must be object, given 'array'."),
        ({**CREDENTIALS, "#data": '"s3cret"'}, "Key 'oauth_api.credentials'.#data must be object, given 'string'."),
        ({**CREDENTIALS, "#data": "1.5"}, "Key 'oauth_api.credentials'.#data must be object, given 'double'."),
        (
            {**CREDENTIALS, "#data": "{}"},
            "Missing 'oauth_api.credentials.#data.oauth_token' for OAuth 1.0 authorization.",
        ),
        (
            {**CREDENTIALS, "#data": '{"oauth_token": "x"}'},
            "Missing 'oauth_api.credentials.#data.oauth_token_secret' for OAuth 1.0 authorization.",
        ),
    ],
)
def test_credentials_are_checked_before_anything_is_sent(credentials: Any, message: str):
    with pytest.raises(UserError) as error:
        read({"type": "oauth10"}, None, credentials)

    assert str(error.value) == message


def test_secrets_are_known():
    assert read({"type": "oauth10"}, None, CREDENTIALS).secrets == ["TopSecret", "userToken", "tokenSecret"]
