"""H19: the endpoint that issues tokens is slow, overloaded, or answers something else."""

from __future__ import annotations

import asyncio

from tests.e2e.hostile.exchange import Exchange
from tests.e2e.hostile.faults.drips import DEADLINE, SETTINGS
from tests.e2e.hostile.faults.tokens import issue, login
from tests.e2e.hostile.scenario import ALWAYS, Fault, Judge, Variant, fails, same


def _first(fault: Fault, times: int) -> Fault:
    async def response(exchange: Exchange) -> None:
        await (fault if exchange.attempt < times else issue)(exchange)

    return response


def _answering(body: bytes, status: str = "200 OK", *headers: tuple[str, str]) -> Fault:
    async def response(exchange: Exchange) -> None:
        await exchange.response(body, headers, status)

    return response


async def _late(exchange: Exchange) -> None:
    await asyncio.sleep(DEADLINE / 4)
    await issue(exchange)


async def _never(_exchange: Exchange) -> None:
    await asyncio.sleep(60)


def _of(name: str, fault: Fault, times: int = 1, outcome: Judge = same) -> Variant:
    return Variant(name, api={**login(), **SETTINGS}, login=_first(fault, times), outcome=outcome)


BUSY = _answering(b"busy", "429 Too Many Requests", ("Retry-After", "30"))

VARIANTS = (
    _of("slow and in time", _late, ALWAYS),
    _of("silent once", _never),
    _of("silent for ever", _never, ALWAYS, fails("CURL error 28: .*/login")),
    _of("busy once", BUSY),
    _of("busy for ever", BUSY, ALWAYS, fails(r"\[429\] Client error: `POST .*/login`")),
    _of("down once", _answering(b"", "503 Service Unavailable")),
    _of("refused", _answering(b"no", "403 Forbidden"), 1, fails(r"\[403\] Client error: `POST .*/login`")),
    _of("a web page", _answering(b"<html>"), 1, fails("Invalid JSON response from API")),
    _of("nothing", _answering(b""), 1, fails("Invalid JSON response from API")),
    _of("null", _answering(b"null"), 1, fails('should be an object or a scalar value, given "NULL"')),
    _of("a list", _answering(b"[]"), 1, fails('should be an object or a scalar value, given "array"')),
    _of("cut", _answering(b'{"session":{"tok'), 1, fails("Invalid JSON response from API")),
    _of("an answer without a token", _answering(b'{"session":{}}'), 1, fails("session.token")),
    _of("a token that is an object", _answering(b'{"session":{"token":{"a":1}}}'), 1, fails("session.token|object")),
    _of(
        "a token with a line break", _answering(b'{"session":{"token":"a\\nb"}}'), 1, fails("a line break or a control")
    ),
)
