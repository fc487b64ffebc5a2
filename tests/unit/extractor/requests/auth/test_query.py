from __future__ import annotations

import hashlib
from typing import Any

import pytest

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.http import Message
from tests.unit.extractor.requests.auth.conversation import read, sign


def query_auth(query: Any, attr: Any = None) -> Any:
    return read({"type": "query", "query": query, "apiRequest": {"headers": {"X": "ignored"}}}, attr)


def test_parameters_are_replaced_where_they_stand_and_others_follow():
    message = Message("GET", "https://h/a?key=old&q=x+y&flag&r=1&r=2")

    signed = sign(query_auth({"new": "a b~", "key": 1, "many": ["c", "d"]}), message)

    assert signed.query == "key=1&q=x%20y&flag&r=1&r=2&new=a%20b~&many=c&many=d"
    assert signed.message.headers == {}


def test_a_posted_message_gets_the_query_too():
    signed = sign(query_auth({"key": "x"}), Message("POST", "https://h/a", {}, b"{}")).message

    assert signed == Message("POST", "https://h/a?key=x", {}, b"{}")


def test_functions_see_the_query_the_request_and_the_configuration():
    names = ("url", "path", "queryString", "method", "hostname", "port", "resource")
    query = {
        **{name: {"request": name} for name in names},
        "type": {"query": "type"},
        "second": {"query": "r.1"},
        "item": {"query": "a[0]"},
        "server": {"attr": "server.address"},
    }
    message = Message("GET", "https://API.example:443/v1/a%20b?type=x&r=1&r=2&a[0]=z")

    pairs = dict(
        part.split("=") for part in sign(query_auth(query, {"server": {"address": "s1"}}), message).query.split("&")
    )

    assert pairs["url"] == "https%3A%2F%2Fapi.example%2Fv1%2Fa%2520b%3Ftype%3Dx%26r%3D1%26r%3D2%26a%5B0%5D%3Dz"
    assert pairs["path"] == "%2Fv1%2Fa%2520b"
    assert pairs["resource"] == f"{pairs['path']}%3F{pairs['queryString']}"
    assert (pairs["method"], pairs["hostname"], pairs["port"]) == ("GET", "api.example", "443")
    assert (pairs["type"], pairs["second"], pairs["item"], pairs["server"]) == ("x", "2", "z", "s1")


def test_a_signature_is_made_of_every_request_anew():
    signature = {"function": "sha1", "args": [{"function": "concat", "args": [{"attr": "#token"}, {"query": "type"}]}]}
    auth = query_auth({"signature": signature}, {"#token": "t0"})

    for kind in ("users", "orders"):
        digest = hashlib.sha1(f"t0{kind}".encode()).hexdigest()
        assert sign(auth, Message("GET", f"https://h/items?type={kind}")).query == f"type={kind}&signature={digest}"


@pytest.mark.parametrize(
    ("url", "port", "host"),
    [("http://h/", 80, "h"), ("https://h:8443/", 8443, "h"), ("http://[::1]:80/", 80, "[::1]")],
)
def test_the_port_is_always_known(url: str, port: int, host: str):
    signed = sign(query_auth({"p": {"request": "port"}, "h": {"request": "hostname"}}), Message("GET", url))

    assert signed.query == f"p={port}&h={host.replace('[', '%5B').replace(']', '%5D').replace(':', '%3A')}"


@pytest.mark.parametrize("query", [None, {}, [], "key", 0])
def test_a_query_is_required(query: Any):
    with pytest.raises(UserError) as error:
        query_auth(query)

    message = "The query authentication method requires 'query' configuration in 'authentication' section."
    assert str(error.value) == message


@pytest.mark.parametrize("value", [{"attr": "gone"}, {"query": "gone"}, {"response": "x"}, {"function": "gone"}])
def test_what_cannot_be_evaluated_is_the_users_error(value: Any):
    with pytest.raises(UserError):
        sign(query_auth({"key": value}))


def test_a_url_that_is_none_is_the_users_error():
    with pytest.raises(UserError, match="Unable to parse URI"):
        sign(query_auth({"key": 1}), Message("GET", "https://h:x/"))
