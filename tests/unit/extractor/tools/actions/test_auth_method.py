from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

from tests.support.api import Api, Response, Seen
from tests.unit.extractor.tools.actions.asking import ask, complaint, selected

USERS = {"endpoint": "users", "dataField": "."}


@pytest.fixture
def api() -> Generator[Api]:
    with Api() as api:
        api.on("/users", Response.json([{"id": 1}]))
        yield api


def sent(api: Api, settings: dict[str, Any], **config: Any) -> Seen:
    """What a test request sends with these settings of the `api` section."""
    response = ask("test_request", selected(f"{api.url}/", USERS, api=settings, **config))
    assert response["response"]["status_code"] == 200
    return api.seen[-1]


@pytest.mark.parametrize("settings", [{}, {"authentication": {"type": "basic"}}])
def test_basic(api: Api, settings: dict[str, Any]):
    config = {"username": "u", "#password": "p", "__AUTH_METHOD": "basic"}

    assert sent(api, settings, **config).headers["authorization"] == "Basic dTpw"


def test_without_a_method_the_runs_own_counts(api: Api):
    seen = sent(api, {"authentication": {"type": "query", "query": {"k": {"attr": "#k"}}}}, **{"#k": "secret"})

    assert seen.query == "k=secret"


def test_bearer_adds_the_header_unless_it_is_written_already(api: Api):
    config = {"__AUTH_METHOD": "bearer", "#__BEARER_TOKEN": "token"}
    written = {
        "http": {"headers": {"authorization": {"function": "concat", "args": ["Token ", {"attr": "#__BEARER_TOKEN"}]}}}
    }

    assert sent(api, {}, **config).headers["authorization"] == "Bearer token"
    assert sent(api, written, **config).headers["authorization"] == "Token token"


def test_an_api_key_is_sent_in_a_header_or_in_a_default_parameter(api: Api):
    config = {"__AUTH_METHOD": "api-key", "#__AUTH_TOKEN": "key-7"}
    token = {"attr": "#__AUTH_TOKEN"}

    assert sent(api, {"http": {"headers": {"X-Key": token}}}, **config).headers["x-key"] == "key-7"
    assert (
        sent(api, {"http": {"defaultOptions": {"params": {"a": 1, "key": token}}}}, **config).query == "a=1&key=key-7"
    )


def test_a_key_that_a_run_would_not_send_is_warned_of(api: Api):
    settings = {"http": {"defaultOptions": {"params": {"key": {"attr": "#__AUTH_TOKEN"}}}}}
    config = {"__AUTH_METHOD": "api-key", "#__AUTH_TOKEN": "key-7"}

    response = ask("test_request", selected(f"{api.url}/", USERS, api=settings, **config))

    assert "a run does not look it up there" in response["debug_log"].replace("\n", " ")


def test_oauth2_is_a_login(api: Api):
    api.on("/token", {"access_token": "fresh-token"})
    settings = {
        "authentication": {
            "type": "login",
            "loginRequest": {"endpoint": "token", "method": "FORM", "params": {"id": {"attr": "__CLIENT_ID"}}},
            "apiRequest": {
                "headers": {"Authorization": {"function": "concat", "args": ["Bearer ", {"response": "access_token"}]}}
            },
        }
    }

    seen = sent(api, settings, __AUTH_METHOD="oauth2", __CLIENT_ID="client-7")

    assert api.seen[0].body == b"id=client-7"
    assert seen.headers["authorization"] == "Bearer fresh-token"


@pytest.mark.parametrize("method", ["custom", "none"])
def test_no_authentication(api: Api, method: str):
    assert "authorization" not in sent(api, {"authentication": {"type": method}}, __AUTH_METHOD=method).headers


def test_custom_is_what_the_run_does(api: Api):
    settings = {"authentication": {"type": "query", "query": {"k": "v"}}}

    assert sent(api, settings, __AUTH_METHOD="custom").query == "k=v"
    assert sent(api, settings, __AUTH_METHOD="none").query == ""


@pytest.mark.parametrize(
    ("settings", "config", "message"),
    [
        ({}, {"__AUTH_METHOD": "magic"}, "Unsupported auth method: magic"),
        ({"authentication": {"type": "magic"}}, {}, "Unsupported auth method: magic"),
        ({}, {"__AUTH_METHOD": "bearer"}, "Missing the required '#__BEARER_TOKEN' attribute in config."),
        ({}, {"__AUTH_METHOD": "basic"}, "Missing the required '#username' (or 'username') attribute in config."),
    ],
)
def test_what_cannot_authenticate_is_said(settings: dict[str, Any], config: dict[str, Any], message: str):
    assert complaint("test_request", selected("http://127.0.0.1:1/", USERS, api=settings, **config)) == message
