from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from penstock.foundation.outbound import Gate, OutboundError, Policy, Response
from tests.support.refusing import refusing_port
from tests.unit.foundation.outbound.servers import ok

STRICT = Policy()
HELLO, WELCOME, REFUSED_LOGIN = b"\x05\x01\x00", b"\x05\x00", b"\x05\xff"
ASK_API = b"\x05\x01\x00\x03\x08api.test\x00\x50"
GRANTED = b"\x05\x00\x00\x01\0\0\0\0\0\0"


@asynccontextmanager
async def proxy_that_says(*lines: bytes) -> AsyncGenerator[tuple[str, list[bytes]]]:
    """A proxy that answers each message with the next line, and hangs up after the last."""
    heard: list[bytes] = []

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for line in lines:
            heard.append(await reader.read(4096))
            writer.write(line)
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", 0)
    try:
        yield f"socks5h://127.0.0.1:{server.sockets[0].getsockname()[1]}", heard
    finally:
        server.close()


async def fetch(proxy: str, url: str = "http://api.test/", **options: Any) -> Response:
    async def find_proxy() -> str:
        return proxy

    async with Gate(STRICT, socks=find_proxy) as gate:
        return await gate.send("GET", url, **options)


@pytest.mark.parametrize(
    ("url", "asked"),
    [
        ("http://api.test/", ASK_API),
        ("http://API.test:8080/", b"\x05\x01\x00\x03\x08api.test\x1f\x90"),
        ("http://10.0.0.1/", b"\x05\x01\x00\x01\x0a\0\0\x01\x00\x50"),
        ("http://127.1/", b"\x05\x01\x00\x01\x7f\0\0\x01\x00\x50"),
        ("http://[::1]/", b"\x05\x01\x00\x04" + bytes(15) + b"\x01\x00\x50"),
        ("http://localhost/", b"\x05\x01\x00\x03\x09localhost\x00\x50"),
    ],
)
def test_the_proxy_receives_the_name_and_resolves_it(url: str, asked: bytes):
    async def story() -> None:
        async with proxy_that_says(WELCOME, GRANTED, ok(b"there")) as (proxy, heard):
            assert (await fetch(proxy, url)).body == b"there"
        assert heard[:2] == [HELLO, asked]

    asyncio.run(story())


@pytest.mark.parametrize("reply", [b"\x05\0\0\x04" + bytes(18), b"\x05\0\0\x03\x05proxy\0\0"])
def test_an_address_of_any_kind_in_the_reply_is_passed_over(reply: bytes):
    async def story() -> None:
        async with proxy_that_says(WELCOME, reply, ok(b"there")) as (proxy, _):
            assert (await fetch(proxy)).body == b"there"

    asyncio.run(story())


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ([WELCOME, b"\x05\x05\x00\x01" + bytes(6)], "connection refused"),
        ([WELCOME, b"\x05\x04\x00\x01" + bytes(6)], "no route to host"),
        ([WELCOME, b"\x05\x03\x00\x01" + bytes(6)], "network is unreachable"),
        ([WELCOME, b"\x05\x01\x00\x01" + bytes(6)], "connection abort"),
        ([WELCOME, b"\x05\x00"], "connection abort"),
        ([REFUSED_LOGIN], "connection abort"),
        ([b""], "connection abort"),
    ],
)
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_proxy_that_does_not_connect_is_a_host_that_is_not_reached(lines: list[bytes], words: str, scheme: str):
    async def story() -> None:
        async with proxy_that_says(*lines) as (proxy, _):
            with pytest.raises(OutboundError, match=f"Failed to connect to api.test port .*{words}") as caught:
                await fetch(proxy, f"{scheme}://api.test/?token=secret")
        assert caught.value.kind == "connect"
        assert "secret" not in str(caught.value)

    asyncio.run(story())


def test_a_proxy_that_is_not_there_is_a_host_that_is_not_reached():
    async def story() -> None:
        with refusing_port() as port, pytest.raises(OutboundError, match="connection refused") as caught:
            await fetch(f"socks5h://127.0.0.1:{port}")
        assert caught.value.kind == "connect"

    asyncio.run(story())


def test_a_silent_proxy_runs_into_the_connect_timeout():
    async def story() -> None:
        with socket.socket() as silent:
            silent.bind(("127.0.0.1", 0))
            silent.listen()
            with pytest.raises(OutboundError, match=r"Failed to connect to api\.test port 80 within 0\.2 s") as caught:
                await fetch(f"socks5h://127.0.0.1:{silent.getsockname()[1]}", connect_timeout=0.2)
        assert caught.value.kind == "timeout"

    asyncio.run(story())


def test_the_time_that_a_tunnel_takes_to_open_is_not_the_calls():
    async def story() -> None:
        async with proxy_that_says(WELCOME, GRANTED, ok(b"there")) as (proxy, _):
            pauses = [1.7]

            async def find_proxy() -> str:
                await asyncio.sleep(pauses.pop() if pauses else 0)
                return proxy

            async with Gate(STRICT, socks=find_proxy) as gate:
                response = await gate.send("GET", "http://api.test/", timeout=1.5, connect_timeout=1.5)
        assert response.body == b"there"

    asyncio.run(story())


def test_what_fails_in_opening_the_tunnel_is_the_callers_to_explain():
    async def find_proxy() -> str:
        raise LookupError("no tunnel")

    async def story() -> None:
        async with Gate(STRICT, socks=find_proxy) as gate:
            with pytest.raises(LookupError, match="no tunnel"):
                await gate.send("GET", "http://api.test/")

    asyncio.run(story())
