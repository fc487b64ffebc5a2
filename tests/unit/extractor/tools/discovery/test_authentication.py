"""Credentials of a request become `#` keys, and the configuration sends them as the request did."""

from __future__ import annotations

import json
import string
from pathlib import Path
from shlex import quote
from urllib.parse import parse_qsl, urlencode, urlsplit

from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.base.functions import evaluate
from penstock.extractor.base.http import Message
from penstock.extractor.config.effective import read_configs
from penstock.extractor.tools.curl.command import read_command
from penstock.extractor.tools.discovery.authentication import take_credentials
from penstock.extractor.tools.discovery.discovery import start
from tests.support.examples import examples

NAMES = st.text(string.ascii_letters, min_size=1, max_size=8)
VALUES = st.text(string.ascii_letters + string.digits + " '\"$&=+%é", min_size=1, max_size=12)
TOKENS = st.text(string.ascii_letters + string.digits + "-_.", min_size=8, max_size=20)


def test_a_bearer_token_is_put_together_from_a_secret() -> None:
    found = take_credentials({"Authorization": "Bearer abc"}, {}, "GET")

    assert found.headers == {"Authorization": {"function": "concat", "args": ["Bearer ", {"attr": "#token"}]}}
    assert found.attributes == {"#token": "abc"}


def test_a_user_and_a_password_become_basic_authentication() -> None:
    found = take_credentials({"Authorization": "Basic dTpw"}, {}, "GET")

    assert found.authentication == {"type": "basic"}
    assert found.attributes == {"username": "u", "#password": "p"}


def test_keys_in_the_query_become_query_authentication() -> None:
    found = take_credentials({}, {"api_key": "k", "page": "1"}, "GET")

    assert found.authentication == {"type": "query", "query": {"api_key": {"attr": "#api_key"}}}
    assert found.params == {"page": "1"}


def test_keys_in_a_body_are_references() -> None:
    found = take_credentials({}, {"token": "k", "channel": "c"}, "FORM")

    assert found.params == {"channel": "c", "token": {"attr": "#token"}}


def test_tokens_of_pages_are_not_secrets() -> None:
    params = {"page_token": "a", "pageToken": "b", "continuationToken": "c", "sort_key": "d"}

    assert take_credentials({}, params, "GET").params == params


def test_headers_of_a_browser_are_dropped() -> None:
    headers = {"User-Agent": "x", "sec-ch-ua": "y", ":authority": "z", "Accept": "*/*", "X-Version": "2"}

    assert take_credentials(headers, {}, "GET").headers == {"X-Version": "2"}


@examples(200)
@given(
    st.dictionaries(NAMES, VALUES, max_size=3),
    st.sampled_from(
        ["", "-u {token}:", "-u user:{token}", "-H 'Authorization: Bearer {token}'", "-H 'X-Api-Key: {token}'"]
    ),
    st.sampled_from(["", "api_key", "access_token"]),
    TOKENS,
)
def test_the_configuration_sends_the_request_of_the_command(
    params: dict[str, str], option: str, key: str, token: str
) -> None:
    query = urlencode({**params, **({key: token} if key else {})})
    text = f"curl {quote(f'https://api.example.com/v1/items?{query}')} {option.format(token=token)}"
    command = read_command(text)

    draft, _credentials = start(command)
    document = draft.document()
    sent = _sent(document)

    expected = command.headers
    assert {name: sent.headers.get(name) for name in expected} == expected
    assert sorted(_pairs(sent.url)) == sorted(_pairs(command.url.geturl()))
    assert urlsplit(sent.url).path == "/v1/items"
    assert token not in json.dumps(_without_secrets(document))


def _pairs(url: str) -> list[tuple[str, str]]:
    return parse_qsl(urlsplit(url).query, keep_blank_values=True)


def _sent(document: dict[str, object]) -> Message:
    config = read_configs(document, Path("cache"), lambda _warning: None)[0]
    job = config.jobs[0]
    params = {name: evaluate(value, config.contexts) for name, value in job.params.items()}
    return config.sending.auth.signed(config.sending.builder.build(job.request(params, job.endpoint)))


def _without_secrets(value: object) -> object:
    if isinstance(value, dict):
        members: dict[str, object] = value
        return {key: _without_secrets(member) for key, member in members.items() if not key.startswith("#")}
    return [_without_secrets(item) for item in value] if isinstance(value, list) else value
