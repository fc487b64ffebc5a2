"""An application behind uvicorn on a plain port and a TLS listener, in one process, as a stack has them.

Its routes wait for the test and not for a time, so that what a test shows does not depend on how fast the machine is.
"""

from __future__ import annotations

import asyncio
import hashlib
import ssl
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import uvloop
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route, WebSocketRoute
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket

from penstock.foundation.admission import Admission
from penstock.server.certificates import init_certificates
from penstock.server.plain_server import PlainServer
from penstock.server.sockets import open_sockets
from penstock.server.tls_connections import TlsConnections
from penstock.server.tls_listener import TlsListener
from tests.support.patience import PATIENCE
from tests.support.stacks import wait_for

TOGETHER = 8
"""How many requests to /meet have to be there at once."""


class Application:
    def __init__(self) -> None:
        self.next_line = threading.Semaphore(0)
        """/count sends a line each time this is released."""
        self.is_asked, self.may_answer = threading.Event(), threading.Event()
        """/wait sets the first and waits for the second."""
        self._meeting = asyncio.Barrier(TOGETHER)
        routes = [
            Route("/count", self._count),
            Route("/cut", self._cut),
            Route("/meet", self._meet),
            Route("/refuse", self._refuse, methods=["PUT"]),
            Route("/take", self._take, methods=["PUT"]),
            Route("/wait", self._wait),
            WebSocketRoute("/repeat", self._repeat),
        ]
        self._routed, self._paths = Starlette(routes=routes), {route.path for route in routes}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await (self._routed if scope["path"] in self._paths else _echo)(scope, receive, send)

    async def _count(self, _request: Request) -> Response:
        async def lines() -> AsyncIterator[str]:
            for number in range(3):
                await asyncio.to_thread(self.next_line.acquire)
                yield f"{number}\n"

        return StreamingResponse(lines(), media_type="text/plain")

    async def _cut(self, _request: Request) -> Response:
        async def half() -> AsyncIterator[bytes]:
            yield b"half"
            raise RuntimeError("cut")

        return StreamingResponse(half())

    async def _meet(self, _request: Request) -> Response:
        await self._meeting.wait()
        return JSONResponse("met")

    async def _refuse(self, _request: Request) -> Response:
        """Without a look at the body."""
        return JSONResponse("no", status_code=403)

    async def _take(self, request: Request) -> Response:
        return JSONResponse(sum([len(piece) async for piece in request.stream()]))

    async def _wait(self, _request: Request) -> Response:
        self.is_asked.set()
        await asyncio.to_thread(self.may_answer.wait)
        return JSONResponse("late")

    async def _repeat(self, socket: WebSocket) -> None:
        await socket.accept()
        async for text in socket.iter_text():
            await socket.send_text(text[::-1])


async def _echo(scope: Scope, receive: Receive, send: Send) -> None:
    """All that an application can see of a request, but for what names the protocol itself."""
    request = Request(scope, receive)
    try:
        body = await request.body()
    except ClientDisconnect:
        await Response(status_code=400)(scope, receive, send)
        return
    seen = {
        "method": request.method,
        "path": scope["path"],
        "raw_path": scope["raw_path"].decode(),
        "query": scope["query_string"].decode(),
        "headers": sorted((name, value) for name, value in request.headers.items() if name.startswith("x-")),
        "body": hashlib.sha256(body).hexdigest(),
        "size": len(body),
    }
    await JSONResponse(seen, status_code=201, headers={"x-seen": str(len(body))})(scope, receive, send)


class Serving:
    def __init__(self, folder: Path, admission: Admission | None = None) -> None:
        files = init_certificates(folder, "penstock.localhost").files
        self.authority, self._pair = files.authority.certificate, files.stack
        self.app = Application()
        self._plain, self._secure = open_sockets("loopback", 0), open_sockets("loopback", 0)
        self.plain_port = self._plain[0].getsockname()[1]
        self.secure_port = self._secure[0].getsockname()[1]
        self._listeners: list[TlsListener] = []
        self.admission = admission or Admission()
        self._uvicorn = PlainServer(self.app, self.admission)
        self._connections = TlsConnections(self.app, self.admission, self.secure_port)
        self._thread = threading.Thread(target=lambda: uvloop.run(self._run()), daemon=True)
        self._thread.start()
        wait_for(lambda: self._uvicorn.started)

    async def _run(self) -> None:
        checking = asyncio.ensure_future(self._check())
        self._listeners = [TlsListener(self._connections, sock, self._pair) for sock in self._secure]
        await self._uvicorn.serve(self._plain)
        checking.cancel()
        await asyncio.gather(*(each.drain(20) for each in self._listeners))
        for each in self._secure:
            each.close()

    async def _check(self) -> None:
        while True:
            self._connections.check()
            await asyncio.sleep(0.1)

    def begin_to_stop(self) -> None:
        """Until nothing new is taken."""
        self._uvicorn.should_exit = True
        wait_for(lambda: all(each._is_ending for each in self._listeners))

    def stop(self) -> None:
        self._uvicorn.should_exit = True
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()

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
        return httpx.Client(http1=False, http2=True, verify=self.context, timeout=PATIENCE, base_url=self.secure_url)
