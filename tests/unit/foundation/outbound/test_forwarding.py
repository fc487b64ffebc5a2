"""The proxy for programs that do not use the gate: it refuses what the gate refuses, and forwards the rest."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from penstock.foundation.outbound import Policy
from penstock.foundation.outbound.forwarding import Forwarder
from penstock.foundation.outbound.guard import system_lookup
from tests.support.api import Api
from tests.support.refusing import refusing_url
from tests.unit.foundation.outbound.test_addresses import CORPUS


async def ask(policy: Policy, request: str, lookup: object = system_lookup) -> str:
    """What the proxy answers, all of it."""
    forwarder = Forwarder(policy, lookup)  # pyright: ignore[reportArgumentType]
    server = await asyncio.start_server(forwarder.serve, "127.0.0.1", 0)
    async with server:
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname()[:2])
        writer.write(request.replace("\n", "\r\n").encode())
        response = await asyncio.wait_for(reader.read(), 20)
        writer.close()
    return response.decode()


def run(policy: Policy, request: str, lookup: object = system_lookup) -> str:
    return asyncio.run(ask(policy, request, lookup))


def test_every_spelling_of_the_corpus_is_refused_in_both_ways() -> None:
    async def ask_all() -> list[str]:
        closed = Policy(proxy="http://127.0.0.1:9")
        hosts = [line for line in CORPUS if " => " not in line]
        passed: list[str] = []
        for host in hosts:
            for request in (f"CONNECT {host}:443 HTTP/1.1\n\n", f"GET http://{host}/ HTTP/1.1\nHost: {host}\n\n"):
                response = await ask(closed, request)
                passed += [] if response.startswith("HTTP/1.1 403 ") else [f"{request!r} {response!r}"]
        return passed

    assert asyncio.run(ask_all()) == []


def test_every_name_of_the_corpus_is_refused_for_its_addresses() -> None:
    async def ask_all() -> list[str]:
        passed: list[str] = []
        for host, addresses in (line.split(" => ") for line in CORPUS if " => " in line):

            async def lookup(_name: str, _port: int, found: str = addresses) -> Sequence[str]:
                return found.replace(" ", "").split(",")

            for request in (f"CONNECT {host}:443 HTTP/1.1\n\n", f"GET http://{host}/ HTTP/1.1\n\n"):
                response = await ask(Policy(), request, lookup)
                passed += [] if response.startswith("HTTP/1.1 403 ") else [f"{request!r} {response!r}"]
        return passed

    assert asyncio.run(ask_all()) == []


def test_a_refusal_names_the_host_and_the_way_out() -> None:
    response = run(Policy(), "GET http://10.0.0.1/secret HTTP/1.1\n\n")

    assert "10.0.0.1" in response
    assert "secret" not in response
    assert "private address" in response


def test_a_name_is_looked_up_once_and_the_connection_goes_where_it_led() -> None:
    asked: list[str] = []

    async def lookup(name: str, _port: int) -> Sequence[str]:
        asked.append(name)
        return ["127.0.0.1"] if len(asked) == 1 else ["10.0.0.1"]

    api = Api()
    api.on("/items", {"is": "here"})
    port = api.url.rpartition(":")[2]
    response = run(Policy(allow=("127.0.0.1",)), f"GET http://api.example.com:{port}/items?a=b HTTP/1.1\n\n", lookup)

    assert asked == ["api.example.com"]
    assert '{"is": "here"}' in response.replace('":"', '": "')
    assert api.seen[0].query == "a=b"


def test_the_host_is_the_one_that_was_checked_and_forwarded_headers_are_dropped() -> None:
    api = Api()
    api.on("/", {"is": "here"})
    place = api.url.removeprefix("http://")
    run(
        Policy(allow=("127.0.0.1",)),
        f"GET {api.url}/ HTTP/1.1\nHost: other.example.com\nX-Forwarded-Host: queue.example.com\nProxy-Connection: x\n"
        "Connection: keep-alive\nX-Own: kept\n\nGET /second HTTP/1.1\n\n",
    )
    names = {name.lower(): value for name, value in api.seen[0].headers.items()}

    assert names["host"] == place
    assert names["x-own"] == "kept"
    assert not names.keys() & {"x-forwarded-host", "proxy-connection"}
    assert names["connection"] == "close"
    assert len(api.seen) == 1


@pytest.mark.parametrize(
    "request_text",
    [
        "GET /items HTTP/1.1\nHost: api.example.com\n\n",
        "GET https://api.example.com/ HTTP/1.1\n\n",
        "GET ftp://api.example.com/ HTTP/1.1\n\n",
        "GET http://user:password@api.example.com/ HTTP/1.1\n\n",
        "GET http://api.example.com/ HTTP/1.1\nHost : x\n\n",
        "GET http://api.example.com/ HTTP/1.1\n Host: x\n\n",
        "nonsense\n\n",
    ],
)
def test_what_is_not_a_request_to_a_proxy_is_refused(request_text: str) -> None:
    assert run(Policy(), request_text).startswith("HTTP/1.1 403 ")


def test_a_tunnel_passes_everything_on() -> None:
    async def go() -> bytes:
        async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write((await reader.read(100)).upper())
            writer.close()

        echoing = await asyncio.start_server(echo, "127.0.0.1", 0)
        port = echoing.sockets[0].getsockname()[1]
        proxy = await asyncio.start_server(Forwarder(Policy(allow=("127.0.0.1",))).serve, "127.0.0.1", 0)
        async with echoing, proxy:
            reader, writer = await asyncio.open_connection(*proxy.sockets[0].getsockname()[:2])
            writer.write(f"CONNECT 127.0.0.1:{port} HTTP/1.1\r\n\r\n".encode())
            assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200 ")
            writer.write(b"hello")
            response = await reader.read()
            writer.close()
        return response

    assert asyncio.run(go()) == b"HELLO"


def test_the_operators_proxy_is_used_with_its_password() -> None:
    seen: list[bytes] = []

    async def go() -> str:
        async def proxy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            seen.append(await reader.readuntil(b"\r\n\r\n"))
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            writer.close()

        async def lookup(_name: str, _port: int) -> Sequence[str]:
            return ["93.184.215.14"]

        async with await asyncio.start_server(proxy, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            policy = Policy(proxy=f"http://user:word@127.0.0.1:{port}")
            return await ask(policy, "GET http://api.example.com/x HTTP/1.1\n\n", lookup)

    assert asyncio.run(go()).endswith("ok")
    assert seen[0].startswith(b"GET http://api.example.com/x HTTP/1.1\r\nHost: api.example.com\r\n")
    assert b"Proxy-Authorization: Basic dXNlcjp3b3Jk\r\n" in seen[0]


def test_a_host_of_the_stack_is_reached_at_its_address_and_a_dead_one_is_a_bad_gateway() -> None:
    api = Api()
    api.on("/", {"is": "here"})
    own = Policy(own_hosts={"sample.penstock.localhost": api.url.removeprefix("http://")})

    assert '"here"' in run(own, "GET http://sample.penstock.localhost/ HTTP/1.1\n\n")
    assert run(own, "CONNECT sample.penstock.localhost:443 HTTP/1.1\n\n").startswith("HTTP/1.1 403 ")
    with refusing_url() as url:
        assert run(Policy(allow=("127.0.0.1",)), f"GET {url}/ HTTP/1.1\n\n").startswith("HTTP/1.1 502 ")
