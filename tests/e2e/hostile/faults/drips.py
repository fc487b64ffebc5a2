"""H5: a response that comes byte by byte, or stops coming: one deadline counts for all of it."""

from __future__ import annotations

import asyncio

from tests.e2e.hostile.exchange import Exchange
from tests.e2e.hostile.scenario import ALWAYS, Variant, fails

DEADLINE = 1.5
EACH = 0.02
TIMED_OUT = fails(f"CURL error 28: Operation timed out. 127.0.0.1 did not finish its response within {DEADLINE}")
SETTINGS = {"http": {"requestTimeout": DEADLINE}, "retryConfig": {"maxRetries": 1}}


async def _drip(exchange: Exchange, data: bytes) -> None:
    for index in range(len(data)):
        await exchange.send(data[index : index + 1])
        await asyncio.sleep(EACH)


async def drip_all(exchange: Exchange) -> None:
    await _drip(exchange, exchange.whole())


async def _drip_the_body(exchange: Exchange) -> None:
    head, _, body = exchange.whole().partition(b"\r\n\r\n")
    await exchange.send(head + b"\r\n\r\n")
    await _drip(exchange, body)


async def _drip_a_little(exchange: Exchange) -> None:
    """Slow, and in time."""
    response = exchange.whole()
    await _drip(exchange, response[:5])
    await exchange.send(response[5:])


async def _say_nothing(exchange: Exchange) -> None:
    await asyncio.sleep(60)


async def _stall(exchange: Exchange) -> None:
    response = exchange.whole()
    await exchange.send(response[: exchange.random.randint(1, len(response) - 1)])
    await asyncio.sleep(60)


VARIANTS = (
    Variant("slow and in time", _drip_a_little, ALWAYS, api={"http": {"requestTimeout": 5}}),
    Variant("dripping", drip_all, api=SETTINGS),
    Variant("a dripping body", _drip_the_body, api=SETTINGS),
    Variant("silent", _say_nothing, api=SETTINGS),
    Variant("stalling", _stall, api=SETTINGS),
    Variant("dripping for ever", drip_all, ALWAYS, TIMED_OUT, SETTINGS),
    Variant("silent for ever", _say_nothing, ALWAYS, TIMED_OUT, SETTINGS),
    Variant("stalling for ever", _stall, ALWAYS, TIMED_OUT, SETTINGS),
)
