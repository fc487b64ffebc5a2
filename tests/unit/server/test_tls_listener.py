"""The TLS port, with an application of the test's own: HTTP/2 beside HTTP/1.1, streams, WebSockets, and what is cut."""

from __future__ import annotations

import asyncio
import hashlib
import shutil
import ssl
import subprocess
import threading
import time
from collections.abc import AsyncIterator, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
import uvicorn
import uvloop
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route, WebSocketRoute
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket
from websockets.sync.client import connect

from penstock.server.certificates import init_certificates
from penstock.server.sockets import open_sockets
from penstock.server.tls_listener import TlsListener

MEGABYTE = 1024 * 1024
SLOW_SECONDS = 1.0
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """All that an application can see of a request, but for what names the protocol itself."""
    request = Request(scope, receive)
    body = await request.body()
    headers = sorted((name, value) for name, value in request.headers.items() if name.startswith("x-"))
    seen = {
        "method": request.method,
        "path": request.scope["path"],
        "raw_path": request.scope["raw_path"].decode(),
        "query": request.scope["query_string"].decode(),
        "headers": headers,
        "body": hashlib.sha256(body).hexdigest(),
        "size": len(body),
    }
    await JSONResponse(seen, status_code=201, headers={"x-seen": str(len(body))})(scope, receive, send)


async def count(request: Request) -> Response:
    """Lines, one at a time, the second only when the client has surely read the first."""

    async def lines() -> AsyncIterator[str]:
        for number in range(3):
            yield f"{number}\n"
            await asyncio.sleep(0.3)

    return StreamingResponse(lines(), media_type="text/plain")


async def take(request: Request) -> Response:
    size = 0
    async for piece in request.stream():
        size += len(piece)
    return JSONResponse(size)


async def be_slow(_request: Request) -> Response:
    await asyncio.sleep(SLOW_SECONDS)
    return JSONResponse("late")


async def repeat(socket: WebSocket) -> None:
    await socket.accept()
    async for text in socket.iter_text():
        await socket.send_text(text[::-1])


async def refuse(_request: Request) -> Response:
    """Without a look at the body."""
    return JSONResponse("no", status_code=403)


async def cut(_request: Request) -> Response:
    async def half() -> AsyncIterator[bytes]:
        yield b"half"
        raise RuntimeError("cut")

    return StreamingResponse(half())


ROUTES = [
    Route("/count", count),
    Route("/take", take, methods=["PUT"]),
    Route("/cut", cut),
    Route("/slow", be_slow),
    Route("/refuse", refuse, methods=["PUT"]),
    WebSocketRoute("/repeat", repeat),
]
PATHS = {route.path for route in ROUTES}


class Serving:
    """One application behind uvicorn on a plain port and a TLS listener."""

    def __init__(self, folder: Path) -> None:
        files = init_certificates(folder, "penstock.localhost").files
        self.authority = files.authority.certificate
        self._pair = files.stack
        self._plain, self._secure = open_sockets("loopback", 0), open_sockets("loopback", 0)
        self.plain_port = self._plain[0].getsockname()[1]
        self.secure_port = self._secure[0].getsockname()[1]
        routed = Starlette(routes=ROUTES)

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            await (routed if scope["path"] in PATHS else echo)(scope, receive, send)

        self._app = app
        self._uvicorn = uvicorn.Server(uvicorn.Config(app, lifespan="off", log_config=None))
        self._is_ready = threading.Event()
        self._thread = threading.Thread(target=lambda: uvloop.run(self._run()), daemon=True)
        self._thread.start()
        assert self._is_ready.wait(20)

    async def _run(self) -> None:
        listeners = [TlsListener(self._app, sock, self._pair) for sock in self._secure]
        self._is_ready.set()
        await self._uvicorn.serve(self._plain)
        for each in listeners:
            await each.drain(5)

    def begin_to_stop(self) -> None:
        self._uvicorn.should_exit = True

    def stop(self) -> None:
        self.begin_to_stop()
        self._thread.join(20)

    @property
    def context(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=self.authority)

    @property
    def secure_url(self) -> str:
        return f"https://127.0.0.1:{self.secure_port}"

    @property
    def plain_url(self) -> str:
        return f"http://127.0.0.1:{self.plain_port}"

    def only_http2(self) -> httpx.Client:
        return httpx.Client(http1=False, http2=True, verify=self.context, timeout=30, base_url=self.secure_url)


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Generator[Serving]:
    each = Serving(tmp_path_factory.mktemp("tls"))
    yield each
    each.stop()


@pytest.fixture(scope="module")
def clients(serving: Serving) -> Generator[dict[str, httpx.Client]]:
    """Every way to ask the same."""
    clients = {
        "plain": httpx.Client(base_url=serving.plain_url, timeout=30),
        "http/1.1": httpx.Client(base_url=serving.secure_url, verify=serving.context, timeout=30),
        "h2": serving.only_http2(),
    }
    yield clients
    for each in clients.values():
        each.close()


PARTS = st.lists(st.text(st.characters(blacklist_categories=("Cs",)), min_size=1, max_size=8), max_size=4)
QUERIES = st.dictionaries(st.text("abc[]", min_size=1, max_size=5), st.text(max_size=8), max_size=3)
VALUES = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=20)
HEADERS = st.dictionaries(st.text("abcdef", min_size=1, max_size=6).map(lambda name: f"x-{name}"), VALUES, max_size=4)
BODIES = st.one_of(st.binary(max_size=100), st.sampled_from([b"b" * 70_000, b"b" * 2 * MEGABYTE]))


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(METHODS), PARTS, QUERIES, HEADERS, BODIES, st.booleans())
def test_all_protocols_show_an_application_the_same_request(
    clients: dict[str, httpx.Client],
    method: str,
    path: list[str],
    query: dict[str, str],
    headers: dict[str, str],
    body: bytes,
    has_length: bool,
) -> None:
    url = "/e/" + "/".join(quote(part, safe="") for part in path)

    def content() -> Any:
        return body if has_length else iter([body[:10], body[10:]])

    answers = [
        client.request(method, url, params=query, headers=headers, content=content()) for client in clients.values()
    ]

    assert [answer.http_version for answer in answers] == ["HTTP/1.1", "HTTP/1.1", "HTTP/2"]
    assert len({(a.status_code, a.text, a.headers["x-seen"], a.headers["content-type"]) for a in answers}) == 1
    assert answers[0].json()["size"] == len(body)


@pytest.mark.parametrize("name", ["plain", "http/1.1", "h2"])
def test_a_response_streams(clients: dict[str, httpx.Client], name: str) -> None:
    with clients[name].stream("GET", "/count") as response:
        times = [(line, time.monotonic()) for line in response.iter_lines()]

    assert [line for line, _ in times] == ["0", "1", "2"]
    assert times[2][1] - times[0][1] > 0.4


@pytest.mark.parametrize("name", ["http/1.1", "h2"])
def test_a_large_body_arrives_whole(clients: dict[str, httpx.Client], name: str) -> None:
    pieces: Iterator[bytes] = (b"p" * MEGABYTE for _ in range(40))

    assert clients[name].put("/take", content=pieces).json() == 40 * MEGABYTE


@pytest.mark.parametrize("megabytes", [10, 100])
@pytest.mark.parametrize("name", ["plain", "http/1.1", "h2"])
def test_a_refusal_is_seen_by_a_client_that_still_sends(
    clients: dict[str, httpx.Client], name: str, megabytes: int
) -> None:
    refused = clients[name].put("/refuse", content=b"b" * megabytes * MEGABYTE)

    assert (refused.status_code, refused.json()) == (403, "no")
    assert clients[name].get("/e/").status_code == 201


@pytest.mark.parametrize("name", ["http/1.1", "h2"])
def test_a_response_that_was_cut_never_looks_whole(clients: dict[str, httpx.Client], name: str) -> None:
    with pytest.raises(httpx.RemoteProtocolError):
        clients[name].get("/cut")


def test_requests_of_one_connection_run_side_by_side(serving: Serving) -> None:
    with serving.only_http2() as client, ThreadPoolExecutor(8) as pool:
        client.get("/e/first")
        started = time.monotonic()
        answers = list(pool.map(lambda _: client.get("/slow").json(), range(8)))

    assert answers == ["late"] * 8
    assert time.monotonic() - started < 8 * SLOW_SECONDS / 2


def test_websockets_work_beside_http2(serving: Serving) -> None:
    with connect(f"wss://127.0.0.1:{serving.secure_port}/repeat", ssl=serving.context) as secure:
        secure.send("abc")
        assert secure.recv(timeout=10) == "cba"
    with connect(f"ws://127.0.0.1:{serving.plain_port}/repeat") as plain:
        plain.send("abc")
        assert plain.recv(timeout=10) == "cba"


@pytest.mark.parametrize("protocol", ["--http1.1", "--http2"])
def test_what_was_asked_is_answered_before_the_end(tmp_path: Path, protocol: str) -> None:
    """With curl: the HTTP/2 library of httpx fails when a server says that it is about to end."""
    curl = shutil.which("curl")
    if not curl:
        pytest.skip("curl is not installed.")
    serving = Serving(tmp_path)
    command = [curl, "-sS", protocol, "--cacert", str(serving.authority), f"{serving.secure_url}/slow"]
    asked = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    time.sleep(SLOW_SECONDS / 2)
    serving.stop()

    assert asked.communicate(timeout=20)[0] == '"late"'
    with pytest.raises(httpx.TransportError):
        httpx.get(serving.secure_url, verify=serving.context)
