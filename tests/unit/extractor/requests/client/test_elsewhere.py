"""A host that only data named, by a redirect, a next page or a placeholder, gets nothing that came from a secret."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote_plus

import pytest

from penstock.extractor.base.http import Request
from tests.support.api import Api, Response, Seen
from tests.support.extraction import Extraction, try_extraction
from tests.unit.extractor.requests.client.calling import Calling, failure

EXPRESSIONS = json.loads((Path(__file__).parents[4] / "data" / "secret_expressions.json").read_text())
TOKEN = "canary-token-1234"
ATTRIBUTES = {"#token": TOKEN, "deep": {"#token": "canary-deep-1234"}, "#both": {"user": "canary-user-1234"}}

Way = Callable[[Api, Api, Any], dict[str, Any]]


def by_next_page(api: Api, other: Api, expression: Any) -> dict[str, Any]:
    api.on("/users", {"items": [{"id": 1}], "next": f"{other.url}/users?page=2"})
    job = {"endpoint": "users", "params": {"secret": expression, "plain": "kept"}}
    pagination = {"method": "response.url", "urlKey": "next", "includeParams": True}
    return {"api": {"baseUrl": api.url, "pagination": pagination}, "config": {"jobs": [job]}}


def by_placeholder(api: Api, other: Api, expression: Any) -> dict[str, Any]:
    api.on("/users", {"items": [{"id": 1, "at": f"{other.url}/users"}]})
    child = {
        "endpoint": "{at}",
        "placeholders": {"at": "at"},
        "params": {"secret": expression, "plain": "kept"},
        "dataType": "below",
    }
    return {"api": {"baseUrl": api.url}, "config": {"jobs": [{"endpoint": "users", "children": [child]}]}}


def by_echo(api: Api, other: Api, expression: Any) -> dict[str, Any]:
    """The API repeats the query in the address to which it sends the request on."""
    api.on("/users", lambda seen: Response(302, headers={"Location": f"{other.url}/users?{seen.query}"}))
    job = {"endpoint": "users", "params": {"secret": expression, "plain": "kept"}}
    return {"api": {"baseUrl": api.url}, "config": {"jobs": [job]}}


def by_defaults(api: Api, other: Api, expression: Any) -> dict[str, Any]:
    """What all requests have in common may hold a secret, too."""
    made = by_placeholder(api, other, expression)
    made["api"]["http"] = {"defaultOptions": {"params": {"plain": "kept", "#more": "canary-more-1234"}}}
    return made


WAYS: list[Way] = [by_next_page, by_placeholder, by_echo, by_defaults]


def run(way: Way, api: Api, other: Api, expression: Any, folder: Path) -> Extraction:
    other.on("/users", {"items": [{"id": 2}]})
    document = way(api, other, expression)
    document["config"] |= ATTRIBUTES
    return try_extraction(document, folder)


@pytest.mark.parametrize("expression", EXPRESSIONS, ids=json.dumps)
@pytest.mark.parametrize("way", WAYS)
def test_no_parameter_that_comes_from_a_secret_goes_to_a_host_that_only_data_named(
    api: Api, other: Api, tmp_path: Path, way: Way, expression: Any
):
    result = run(way, api, other, expression, tmp_path)

    assert result.error is None
    assert other.seen
    for seen in other.seen:
        assert set(seen.params) <= {"plain", "page"}
        assert seen.params["plain"] == "kept"
        assert "canary" not in told(seen)
    assert any("no parameters with secrets are sent there" in warning for warning in result.warnings)


@pytest.mark.parametrize("way", [by_placeholder, by_echo])
def test_the_api_itself_gets_the_parameters(api: Api, other: Api, tmp_path: Path, way: Way):
    """As long as the configuration names it."""
    other.on("/users", {"items": [{"id": 2}]})
    document = way(api, other, {"attr": "#token"})
    document["config"] |= ATTRIBUTES
    document["api"]["trustedHosts"] = [other.url]
    result = try_extraction(document, tmp_path)

    assert result.error is None
    assert other.seen[0].params["secret"] == TOKEN


def told(seen: Seen) -> str:
    return unquote_plus(f"{seen.path} {seen.query} {dict(seen.headers)} {seen.body!r}")


@pytest.mark.parametrize(
    "agent", [{"attr": "#token"}, {"function": "md5", "args": [{"attr": "#token"}]}], ids=["plain", "hashed"]
)
def test_no_header_that_comes_from_a_secret_goes_there(api: Api, other: Api, calling: Calling, agent: Any):
    api.on("/old", Response(302, headers={"Location": f"{other.url}/users"}))
    calling({"#token": TOKEN}, http={"headers": {"User-Agent": agent, "Accept": "text/x"}}).get("old")
    sent = hashlib.md5(TOKEN.encode(), usedforsecurity=False).hexdigest() if "function" in agent else TOKEN

    assert api.seen[0].headers["user-agent"] == sent
    assert sent not in told(other.seen[0])
    assert other.seen[0].headers["accept"] == "text/x"


@pytest.mark.parametrize("written", [TOKEN, base64.b64encode(TOKEN.encode()).decode(), "%63anary-token-1234"])
def test_a_secret_in_the_path_ends_the_run(api: Api, other: Api, calling: Calling, written: str):
    api.on("/old", Response(302, headers={"Location": f"{other.url}/{written}/users"}))
    said = failure(calling({"#token": TOKEN}), Request("old"))

    assert "holds a secret in its path, and the configuration does not name this host" in said
    assert other.seen == []


def test_what_a_login_returned_does_not_go_there(api: Api, other: Api, calling: Calling):
    api.on("/login", {"session": "canary-session-1234"})
    api.on("/old", Response(302, headers={"Location": f"{other.url}/users?s=canary-session-1234&a=1"}))
    login = {
        "type": "login",
        "loginRequest": {"endpoint": "login"},
        "apiRequest": {"query": {"s": "session"}},
    }
    calling(authentication=login).get("old")

    assert other.asked("/users") == ["a=1"]


def test_a_refusal_says_that_the_parameter_was_not_sent(api: Api, other: Api, tmp_path: Path):
    def refuse(_seen: Seen) -> Response:
        return Response(401)

    document = by_placeholder(api, other, {"function": "md5", "args": [{"attr": "#token"}]})
    other.on("/users", refuse)
    document["config"] |= ATTRIBUTES
    result = try_extraction(document, tmp_path)

    assert "No credentials were sent to" in (result.error or "")


@pytest.mark.parametrize("expression", EXPRESSIONS, ids=json.dumps)
@pytest.mark.parametrize("place", ["config", "job", "child"])
def test_no_secret_becomes_user_data(api: Api, tmp_path: Path, expression: Any, place: str):
    child: dict[str, Any] = {"endpoint": "{id}", "placeholders": {"id": "id"}}
    job: dict[str, Any] = {"endpoint": "users", "children": [child]}
    config: dict[str, Any] = {"jobs": [job], **ATTRIBUTES}
    {"config": config, "job": job, "child": child}[place]["userData"] = {"ok": 1, "x": expression}
    path = {"config": "", "job": ".jobs[0]", "child": ".jobs[0].children[0]"}[place]
    result = try_extraction({"api": {"baseUrl": api.url}, "config": config}, tmp_path)

    assert f"A secret cannot be written into a table - at `parameters.config{path}.userData.x`" in (result.error or "")
    assert api.seen == []


def test_no_secret_becomes_user_data_under_its_own_key(api: Api, tmp_path: Path):
    config: dict[str, Any] = {"jobs": [{"endpoint": "users"}], "userData": {"#key": "canary"}}
    result = try_extraction({"api": {"baseUrl": api.url}, "config": config}, tmp_path)

    assert "at `parameters.config.userData.#key`" in (result.error or "")
    assert api.seen == []
