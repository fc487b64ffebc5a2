"""One request to a hostile API and all the ways to answer it, written byte by byte: no HTTP library would send what
faults are made of."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tests.e2e.hostile.model import Record
from tests.e2e.hostile.paging import Onward, token_of
from tests.e2e.hostile.scenario import Scenario

HeaderList = Iterable[tuple[str, str]]


@dataclass(frozen=True)
class Request:
    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def path(self) -> str:
        return urlsplit(self.target).path

    @property
    def params(self) -> dict[str, Any]:
        """Those of the query, and those of a JSON body."""
        told = json.loads(self.body) if self.headers.get("content-type") == "application/json" else {}
        return {**dict(parse_qsl(urlsplit(self.target).query)), **dict(told)}


@dataclass
class Exchange:
    scenario: Scenario
    request: Request
    writer: asyncio.StreamWriter
    url: str
    """Of the API, as the configuration names it."""
    start: int
    """The record that the page starts with, counted from 0."""
    page: int
    """Which page is asked for, counted from 0."""
    attempt: int
    """How often that page was asked for before."""
    memory: dict[str, Any] = field(default_factory=dict[str, Any])
    """What the faults of one scenario remember from request to request."""

    @property
    def random(self) -> Random:
        return Random(f"{self.scenario.id} {self.page} {self.attempt}")

    @property
    def records(self) -> tuple[Record, ...]:
        return self.scenario.data.records[self.start : self.start + self.scenario.data.size]

    @property
    def next_address(self) -> str:
        """Empty on the last page."""
        has_next = self.page + 1 < len(self.scenario.data.pages)
        return self.address(token_of(self.page + 1)) if has_next else ""

    @property
    def body(self) -> bytes:
        return self.body_of(self.records)

    @property
    def headers(self) -> list[tuple[str, str]]:
        return self.headers_of(self.next_address)

    def address(self, token: str) -> str:
        return f"{self.url}/items?token={token}"

    def body_of(self, records: Iterable[Record], address: str | None = None, **members: Any) -> bytes:
        """A page of these records, which says that the next one is at this address."""
        if self.scenario.variant.lines:
            return "".join(f"{record.text}\n" for record in records).encode()
        onward = self._onward(self.next_address if address is None else address).members
        others = {"total": len(self.scenario.records), **dict(onward), **members}
        texts = ",".join(record.text for record in records)
        return f'{{"items":[{texts}],{json.dumps(others)[1:]}'.encode()

    def headers_of(self, address: str) -> list[tuple[str, str]]:
        kind = "application/x-ndjson" if self.scenario.variant.lines else "application/json"
        return [("Content-Type", kind), *self._onward(address).headers]

    def head(self, *headers: tuple[str, str], status: str = "200 OK", version: str = "HTTP/1.1") -> bytes:
        lines = [f"{version} {status}", *(f"{name}: {value}" for name, value in headers)]
        return "\r\n".join([*lines, "", ""]).encode("utf-8", "surrogateescape")

    def whole(self, body: bytes | None = None, headers: HeaderList | None = None, status: str = "200 OK") -> bytes:
        """A proper answer: the page that was asked for, unless something else is given."""
        body = self.body if body is None else body
        named = [*(self.headers if headers is None else headers), ("Content-Length", str(len(body)))]
        return self.head(*named, status=status) + body

    async def response(
        self, body: bytes | None = None, headers: HeaderList | None = None, status: str = "200 OK"
    ) -> None:
        await self.send(self.whole(body, headers, status))

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def hang_up(self) -> None:
        """Close in the ordinary way: what was sent arrives."""
        self.writer.close()

    async def reset(self) -> None:
        """Close in the rude way: the other side is told that the connection is broken."""
        connection: socket.socket = self.writer.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()

    def _onward(self, address: str) -> Onward:
        return self.scenario.way.onward(address, self.scenario.variant.lines)
