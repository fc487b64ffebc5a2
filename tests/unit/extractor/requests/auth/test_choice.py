from __future__ import annotations

from typing import Any

import pytest

from penstock.extractor.base.errors import UserError
from penstock.extractor.requests.auth import AuthConfig, read_auth
from tests.unit.extractor.requests.auth.conversation import USERS, read, sign

LOGIN = {"loginRequest": {"endpoint": "login"}}
CREDENTIALS = {"#data": '{"oauth_token": "t", "oauth_token_secret": "s"}', "appKey": "k", "#appSecret": "s"}


@pytest.mark.parametrize("authentication", [None, [], {}, {"type": ""}, {"type": None}, {"query": {"a": 1}}, "basic"])
def test_without_a_type_messages_stay_as_they_are(authentication: Any):
    auth = read(authentication)

    assert auth.name == ""
    assert auth.secrets == []
    assert sign(auth).message == USERS


@pytest.mark.parametrize("kind", ["basic", "query", "url.query", "login", "oauth10", "oauth20", "oauth20.login"])
def test_a_method_has_the_name_of_its_type(kind: str):
    attr = {"username": "a", "password": "b"}

    assert read({"type": kind, "query": {"a": "b"}, **LOGIN}, attr, CREDENTIALS).name == kind


@pytest.mark.parametrize(
    ("kind", "shown"), [("oauth30", "oauth30"), ("Basic", "Basic"), (5, "5"), ({"a": 1}, '{"a":1}')]
)
def test_an_unknown_type_is_refused_by_name(kind: Any, shown: str):
    with pytest.raises(UserError) as error:
        read({"type": kind})

    assert str(error.value) == f"Unknown authorization type '{shown}'."


def test_old_names_work_and_are_warned_about():
    warnings: list[str] = []
    given = AuthConfig({"authentication": {"type": "url.query"}, "query": {"key": "x"}}, {}, {})
    auth = read_auth(given, warnings.append)

    assert sign(auth).query == "page=1&key=x"
    assert warnings == [
        "Method 'url.query' auth is deprecated, use 'query'.",
        "Using 'api.query' is deprecated, use 'api.authentication.query",
    ]
