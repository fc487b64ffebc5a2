"""`penstock extract` against servers that check every signature themselves, and redirects that lead astray."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
from collections.abc import Generator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from botocore.credentials import Credentials

from tests.support.api import Api, Response, Seen
from tests.support.command import extract
from tests.support.extraction import parameters
from tests.support.signatures import OAuth1Server, aws_accepts

ODD = {"q": "a b+c&d=e/ž~*'()", "list": ["x", "y z"], "a[b]": "%20", "empty": "", "#x": "é", "A": "1", "a": "0"}
REFUSED = Response.json({"message": "the signature is wrong"}, 401)
AT_ONCE = {"Retry-After": "-1"}
BUSY = Response(503)
AWS_OPTIONS = {
    "accessKeyId": "AKID",
    "#secretKey": "s3cret/aws+key",
    "serviceName": "execute-api",
    "regionName": "eu-west-1",
}


@pytest.fixture
def api() -> Generator[Api]:
    with Api() as api:
        yield api


@pytest.fixture
def stranger() -> Generator[Api]:
    """Another server, which only answers of the API name."""
    with Api() as other:
        other.on_everything(one_item)
        yield other


def one_item(seen: Seen) -> Response:
    return Response.json({"items": [{"path": seen.path}]})


def job(endpoint: str, **fields: Any) -> dict[str, Any]:
    return {"endpoint": endpoint, "dataField": "items", **fields}


def configuration(api: Api, authentication: dict[str, Any] | None, *jobs: dict[str, Any]) -> dict[str, Any]:
    document = parameters(api.url, *jobs)
    document["api"]["authentication"] = authentication
    document["config"]["debug"] = True
    return document


def authorized(document: dict[str, Any], data: dict[str, Any]) -> dict[str, Any]:
    credentials = {"#data": json.dumps(data), "appKey": "app-1", "#appSecret": "s3cret&app"}
    return {"parameters": document, "authorization": {"oauth_api": {"credentials": credentials}}}


@pytest.mark.parametrize("kind", ["basic", "query"])
def test_credentials_follow_a_redirect_on_their_server_and_go_to_no_other(
    api: Api, stranger: Api, tmp_path: Path, kind: str
):
    same_server_by_name = api.url.replace("127.0.0.1", "localhost")
    for name, place in {"here": "", "by-port": stranger.url, "by-name": same_server_by_name}.items():
        api.on(f"/{name}", Response(302, headers={"Location": f"{place}/new-{name}?page=1"}))
    api.on_everything(one_item)
    query = {"query": {"key": {"attr": "#password"}}} if kind == "query" else {}
    authentication = {"type": kind, **query}
    document = configuration(api, authentication, job("here"), job("by-port"), job("by-name"))
    document["config"] |= {"#username": "ada", "#password": "s3cret+ /pass", "http": {"headers": {"X-Own": "s3cret 2"}}}

    done = extract(document, tmp_path)

    assert (done.code, done.stderr) == (0, "")
    assert done.column("test.by-port", "path") == ["/new-by-port"]
    sent = {seen.path.removeprefix("/"): carried(seen) for seen in (*api.seen, *stranger.seen)}
    assert all(sent.pop(name) == {kind, "header"} for name in ("here", "by-port", "by-name", "new-here"))
    assert sent == {"new-by-port": set(), "new-by-name": set()}
    assert [text.partition(" ")[0] for text in done.warnings] == [
        urlsplit(stranger.url).netloc,
        urlsplit(same_server_by_name).netloc,
    ]
    assert "s3cret+" not in done.all_output


def carried(seen: Seen) -> set[str]:
    """The credentials that came along."""
    pair = base64.b64encode(b"ada:s3cret+ /pass").decode()
    found = {
        "basic": seen.headers.get("authorization") == f"Basic {pair}",
        "query": seen.params.get("key") == "s3cret+ /pass",
        "header": seen.headers.get("x-own") == "s3cret 2",
    }
    return {name for name, is_there in found.items() if is_there}


def test_oauth1_signatures_convince_oauthlib(api: Api, tmp_path: Path):
    server = OAuth1Server(("app-1", "s3cret&app"), ("user-1", "s3cret~user ü"))
    tries: list[Seen] = []

    def guarded(seen: Seen) -> Response:
        tries.append(seen)
        if not server.accepts(seen):
            return REFUSED
        return Response(503, headers=AT_ONCE) if len(tries) == 2 else one_item(seen)

    api.on_everything(guarded)
    document = configuration(
        api,
        {"type": "oauth10"},
        job("plain"),
        job("odd p%C3%A4th/?z=1+2&flag", params=ODD),
        job("form?in=query", method="FORM", params=ODD),
        job("json?in=query", method="POST", params=ODD),
    )

    done = extract(authorized(document, {"oauth_token": "user-1", "oauth_token_secret": "s3cret~user ü"}), tmp_path)

    assert (done.code, done.stderr) == (0, "")
    assert [seen.method for seen in api.seen] == ["GET", "GET", "GET", "POST", "POST"]
    assert len(server.nonces) == 5
    assert "s3cret" not in done.all_output


def test_a_wrong_oauth1_secret_does_not_convince_oauthlib(api: Api, tmp_path: Path):
    server = OAuth1Server(("app-1", "s3cret&app"), ("user-1", "another"))
    api.on_everything(lambda seen: one_item(seen) if server.accepts(seen) else REFUSED)
    document = configuration(api, {"type": "oauth10"}, job("users"))

    done = extract(authorized(document, {"oauth_token": "user-1", "oauth_token_secret": "s3cret"}), tmp_path)

    assert done.code == 1
    assert done.stderr.startswith(f"The API request failed: [401] Client error: `GET {api.url}/users` resulted in a ")


def test_an_oauth2_token_is_borne_in_the_header(api: Api, tmp_path: Path):
    def guarded(seen: Seen) -> Response:
        is_known = seen.headers.get("authorization") == "Bearer s3cret/token" and seen.params["app"] == "app-1"
        return one_item(seen) if is_known else REFUSED

    api.on_everything(guarded)
    bearer = {"function": "concat", "args": ["Bearer ", {"authorization": "data.tokens.0.access"}]}
    authentication = {
        "type": "oauth20",
        "format": "json",
        "headers": {"Authorization": bearer},
        "query": {"app": {"authorization": "clientId"}},
    }
    document = configuration(api, authentication, job("users"), job("orders", method="POST", params={"a": 1}))

    done = extract(authorized(document, {"tokens": [{"access": "s3cret/token"}]}), tmp_path)

    assert (done.code, done.stderr, len(api.seen)) == (0, "", 2)
    assert "s3cret" not in done.all_output


def test_an_oauth2_mac_is_the_one_that_the_server_computes(api: Api, tmp_path: Path):
    nonces: list[str] = []

    def guarded(seen: Seen) -> Response:
        head = seen.headers.get("authorization", "")
        given = re.fullmatch(r'MAC id="user-1", ts="(\d+)", nonce="([0-9a-f]{16})", mac="([0-9a-f]{64})"', head)
        if given is None:
            return REFUSED
        nonces.append(given[2])
        host, _, port = seen.headers["host"].partition(":")
        resource = f"{seen.path}?{seen.query}"
        text = "\n".join((given[1], given[2], seen.method, resource, host, port, ""))
        mac = hmac.new(b"s3cret/mac", text.encode(), hashlib.sha256).hexdigest()
        return one_item(seen) if hmac.compare_digest(mac, given[3]) else REFUSED

    api.on_everything(guarded)
    # No space among them: functions see the query as a form writes it, and it is then sent as RFC 3986 does.
    jobs = [job(name, params={"q": "a/b&ž", "x[0]": "1"}) for name in ("users", "orders")]
    authentication = {"type": "oauth20", "format": "json", "headers": {"Authorization": mac_header()}}
    document = configuration(api, authentication, *jobs)

    done = extract(authorized(document, {"id": "user-1", "mac": "s3cret/mac"}), tmp_path)

    assert (done.code, done.stderr) == (0, "")
    assert len(set(nonces)) == 2
    assert "s3cret" not in done.all_output


def mac_header() -> dict[str, Any]:
    signed = [{"authorization": "timestamp"}, {"authorization": "nonce"}]
    signed += [{"request": name} for name in ("method", "resource", "hostname", "port")]
    text = {"function": "implode", "args": ["\n", [*signed, ""]]}
    mac = {"function": "hash_hmac", "args": ["sha256", text, {"authorization": "data.mac"}]}
    parts = {"id": {"authorization": "data.id"}, "ts": signed[0], "nonce": signed[1], "mac": mac}
    return {"function": "concat", "args": ["MAC", *(word for part in parts.items() for word in quoted(*part))]}


def quoted(name: str, value: Any) -> list[Any]:
    return [f' {name}="', value, '"' if name == "mac" else '",']


def test_aws_signatures_convince_botocore_on_logins_and_retries_too(api: Api, tmp_path: Path):
    known = Credentials("AKID", "s3cret/aws+key")

    def guarded(seen: Seen) -> Response:
        if not aws_accepts(seen, known, "execute-api", "eu-west-1"):
            return REFUSED
        if seen.path == "/login":
            return Response.json({"token": "t0ken ~/+"})
        if seen.params.get("token") != "t0ken ~/+":
            return REFUSED
        return BUSY if len(api.asked("/json")) == 1 and seen.path == "/json" else one_item(seen)

    api.on_everything(guarded)
    login = {"endpoint": "login", "method": "POST", "params": {"key": {"attr": "#key"}}}
    document = configuration(
        api,
        {"type": "login", "loginRequest": login, "apiRequest": {"query": {"token": {"response": "token"}}}},
        job("users"),
        job("odd p%C3%A4th//x?z=1+2&flag&b=2&b=1", params=ODD),
        job("json", method="POST", params=ODD, headers={"X-More": "a   b"}),
        job("form", method="FORM", params=ODD),
    )
    document["config"]["#key"] = "k3y value"
    document["aws"] = {"signature": {"credentials": AWS_OPTIONS}}

    done = extract(document, tmp_path)

    assert (done.code, done.stderr) == (0, "")
    assert [seen.path for seen in api.seen] == ["/login", "/users", "/odd%20p%C3%A4th//x", "/json", "/json", "/form"]
    busy, answered = api.seen[3:5]
    assert busy.body == answered.body
    assert busy.headers["x-amz-date"] != answered.headers["x-amz-date"]
    assert busy.headers["authorization"] != answered.headers["authorization"]
    assert not any(part in done.all_output for part in ("s3cret", "k3y", "t0ken"))
