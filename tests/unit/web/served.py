"""A service with a route table of the test, on a socket of its own."""

from __future__ import annotations

import threading
from collections.abc import Generator

import uvicorn

from penstock.server.sockets import open_sockets
from penstock.services.storage import interface as storage
from penstock.web.application import build_service
from penstock.web.auth.storage_token import storage_token
from penstock.web.errors import Shape, with_text_code
from penstock.web.hosts import HostDispatcher
from penstock.web.request_threads import RequestThreads
from penstock.web.routing import Route
from penstock.web.service import Service
from tests.support.http import Http
from tests.support.stacks import ServicesOnly, wait_for


def serve(
    services: ServicesOnly,
    routes: list[Route],
    errors: Shape = with_text_code,
    threads: RequestThreads | None = None,
    body_limit: int = 1000,
) -> Generator[Http]:
    service = Service(
        id="tested", name="Tested", routes=routes, errors=errors, auth=storage_token(storage.authenticate)
    )
    threads = threads or RequestThreads.of(services.stack.database)
    app = build_service(service, services.stack, (service,), threads, body_limit)
    sockets = open_sockets("loopback", 0)
    dispatcher = HostDispatcher("penstock.localhost", {"tested": app}, None, ())
    server = uvicorn.Server(uvicorn.Config(dispatcher, lifespan="off", log_config=None))
    thread = threading.Thread(target=server.run, args=(sockets,), daemon=True)
    thread.start()
    wait_for(lambda: server.started)
    yield Http(f"http://127.0.0.1:{sockets[0].getsockname()[1]}/_svc/tested", services.project.token)
    server.should_exit = True
    thread.join()
