"""The plain port: uvicorn, whose connections are checked every second."""

from __future__ import annotations

import asyncio

import uvicorn
from starlette.types import ASGIApp

from penstock.foundation.admission import Admission
from penstock.server.limits import CHECK_TICKS
from penstock.server.plain_protocol import PlainProtocol, State

DRAIN_SECONDS = 5
KEEP_ALIVE_SECONDS = 75


class PlainServer(uvicorn.Server):
    def __init__(self, app: ASGIApp, admission: Admission | None = None) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http=PlainProtocol,
                lifespan="off",
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=False,
                timeout_graceful_shutdown=DRAIN_SECONDS,
                timeout_keep_alive=KEEP_ALIVE_SECONDS,
            )
        )
        self.server_state = State(admission or Admission())

    async def on_tick(self, counter: int) -> bool:
        if counter % CHECK_TICKS == 0:
            self._check_connections()
        return await super().on_tick(counter)

    def _check_connections(self) -> None:
        now = asyncio.get_running_loop().time()
        for each in list(self.server_state.connections):
            if isinstance(each, PlainProtocol):
                each.check(now)
