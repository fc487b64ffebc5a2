"""A stack's own outbound requests do not reach its services in any way, and cannot impersonate a proxy."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from penstock.foundation.outbound import MARK, Policy, Refused, find_addresses
from penstock.foundation.outbound.errors import OwnService
from tests.support.api import Api
from tests.unit.foundation.outbound.servers import OPEN, Server, fetch, knowing, ok
from tests.unit.foundation.outbound.test_forwarding import run

Serve = Callable[..., Server]

LOOPBACK = ["127.0.0.1", "127.1", "2130706433", "0x7f.1", "0.0.0.0", "[::1]", "[::ffff:127.0.0.1]", "localhost"]
EVERYTHING = ("127.0.0.0/8", "0.0.0.0/8", "::/0", "localhost", "me.example", "connection.data.example")


def policy(port: int = 1) -> Policy:
    return Policy(allow=EVERYTHING, own_names=("data.example", "connection.data.example"), own_ports=(port,))


@pytest.mark.parametrize("host", LOOPBACK)
def test_an_own_port_is_never_called_although_its_address_is_allowed(serve: Serve, host: str) -> None:
    server = serve(ok())

    with pytest.raises(OwnService, match="this stack itself"):
        fetch(f"http://{host}:{server.port}/", policy=policy(server.port))
    assert server.requests == []


def test_other_ports_of_the_machine_are_called_as_before(serve: Serve) -> None:
    assert fetch(serve(ok()).url(), policy=policy()).status == 200


def test_a_name_that_leads_to_an_own_port_is_not_called(serve: Serve) -> None:
    server = serve(ok())

    with pytest.raises(OwnService):
        fetch(
            f"http://me.example:{server.port}/",
            policy=policy(server.port),
            lookup=knowing(**{"me.example": "127.0.0.1"}),
        )
    assert server.requests == []


@pytest.mark.parametrize("host", ["data.example", "CONNECTION.data.example", "connection.data.example."])
def test_the_names_of_its_services_are_not_called(host: str) -> None:
    with pytest.raises(OwnService):
        fetch(f"https://{host}/v2/storage", policy=policy())
    with pytest.raises(Refused):
        asyncio.run(find_addresses(policy(), host, 22))


@pytest.mark.parametrize("host", ["127.0.0.1", "me.example"])
def test_of_a_host_that_is_not_only_the_stacks_the_other_ports_are_called(serve: Serve, host: str) -> None:
    own, other = serve(ok()), serve(ok())
    shared = Policy(allow=EVERYTHING, own_endpoints=((host, own.port),))
    lookup = knowing(**{"me.example": "127.0.0.1"})

    assert fetch(f"http://{host}:{other.port}/", policy=shared, lookup=lookup).status == 200
    with pytest.raises(OwnService, match=f"{host}:{own.port} is this stack itself"):
        fetch(f"http://{host}:{own.port}/", policy=shared, lookup=lookup)
    with pytest.raises(OwnService):
        asyncio.run(find_addresses(shared, host, own.port, lookup))
    assert own.requests == []


def test_a_redirect_does_not_lead_there_either(serve: Serve) -> None:
    own = serve(ok())
    elsewhere = serve(ok(b"", "302 Found", {"Location": own.url()}))

    with pytest.raises(OwnService):
        fetch(elsewhere.url(), policy=policy(own.port))
    assert own.requests == []


@pytest.mark.parametrize("method", ["GET http://{}/", "CONNECT {}"])
@pytest.mark.parametrize("host", [*LOOPBACK, "connection.data.example"])
def test_the_proxy_of_scripts_refuses_it_too(serve: Serve, method: str, host: str) -> None:
    server = serve(ok())
    response = run(policy(server.port), f"{method.format(f'{host}:{server.port}')} HTTP/1.1\n\n")

    assert response.startswith("HTTP/1.1 403 ")
    assert "this stack itself" in response
    assert server.requests == []


@pytest.fixture
def api() -> Api:
    api = Api()
    api.on("/", {})
    return api


def sent(api: Api) -> list[dict[str, str]]:
    return [{name.lower(): value for name, value in request.headers.items()} for request in api.seen]


@pytest.mark.parametrize(
    "name", ["X-Forwarded-Host", "x-forwarded-for", "X-Forwarded-Anything", "Forwarded", "Via", "X-Real-IP"]
)
def test_headers_of_proxies_are_not_sent(api: Api, name: str) -> None:
    fetch(f"{api.url}/", headers={name: "connection.data.example", "X-Forwarding": "kept"})
    run(OPEN, f"GET {api.url}/ HTTP/1.1\n{name}: connection.data.example\nX-Forwarding: kept\n\n")

    assert [headers["x-forwarding"] for headers in sent(api)] == ["kept"] * 2
    assert not any(name.lower() in headers for headers in sent(api))


def test_requests_are_marked_whatever_the_caller_sends(api: Api) -> None:
    marked = Policy(allow=EVERYTHING, mark="of this stack")
    fetch(f"{api.url}/", policy=marked, headers={MARK.lower(): "of another"})
    run(marked, f"GET {api.url}/ HTTP/1.1\n{MARK.upper()}: of another\n\n")

    assert [headers[MARK.lower()] for headers in sent(api)] == ["of this stack"] * 2


def test_a_command_of_the_operator_is_not_marked(serve: Serve) -> None:
    server = serve(ok())
    fetch(server.url(), policy=Policy.from_environment())

    assert MARK.lower() not in server.requests[0].headers
