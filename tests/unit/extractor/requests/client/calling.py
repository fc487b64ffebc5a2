"""Calling a real API on loopback as a configuration says, with waits that take no time."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

import pytest

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.http import Request
from penstock.extractor.base.log import Log
from penstock.extractor.config.effective import Config, read_configs
from penstock.extractor.requests.client import Client
from penstock.extractor.requests.sending.rate import RateLimiter
from penstock.foundation.outbound import Gate, Policy, Response
from penstock.foundation.redaction import Redactor
from tests.support import api

Result = TypeVar("Result")
START = datetime(2026, 1, 1, tzinfo=UTC)
OK = api.Response(body=b"[1]")


@dataclass
class Caller:
    """Sends the requests of a configuration; records how long it waited and what it logged."""

    api: dict[str, Any]
    config: dict[str, Any] = field(default_factory=dict[str, Any])
    document: dict[str, Any] = field(default_factory=dict[str, Any])
    folder: Path = Path("cache")
    waits: list[float] = field(default_factory=list[float])
    out: io.StringIO = field(default_factory=io.StringIO)
    now: datetime = START
    """The time; waiting moves it."""

    def get(self, endpoint: str, **params: Any) -> Response:
        return self.call(Request(endpoint, params))[0]

    def call(self, *requests: Request) -> list[Response]:
        """The responses that one client gets, one after another."""

        async def fetch(client: Client, _config: Config) -> list[Response]:
            return [await client.fetch(request) for request in requests]

        return self.run(fetch)

    def run(self, work: Callable[[Client, Config], Awaitable[Result]]) -> Result:
        async def run() -> Result:
            (config,) = read_configs(self._document(), self.folder, self.log.warning)
            async with Gate(Policy(is_open=True)) as gate:
                rate_limiter = RateLimiter(config.rate_limit)
                return await work(Client(gate, self.log, config.sending, rate_limiter, self._sleep), config)

        self.log = Log(self.out, Redactor.of(self._document()), is_debug=True)
        return asyncio.run(run())

    @property
    def told(self) -> str:
        return self.out.getvalue()

    @property
    def warnings(self) -> list[str]:
        return [line.partition(".WARNING: ")[2] for line in self.told.splitlines() if ".WARNING: " in line]

    async def _sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += timedelta(seconds=seconds)

    def _document(self) -> dict[str, Any]:
        config = {"jobs": [{"endpoint": "users"}], **self.config}
        parameters = {"api": self.api, "config": config, **self.document.get("parameters", {})}
        return {**self.document, "parameters": parameters}


Calling = Callable[..., Caller]
"""Makes callers with these settings in their `api` section."""


def failure(caller: Caller, *requests: Request) -> str:
    """What the user reads when these requests, or one for users, fail."""
    with pytest.raises(UserError) as caught:
        caller.call(*(requests or [Request("users")]))
    return str(caught.value)


def to(url: str) -> api.Response:
    return api.Response(302, headers={"Location": url})
