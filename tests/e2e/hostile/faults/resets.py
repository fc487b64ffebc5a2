"""H1: the connection breaks before the response, in its head, in its body, or between two pages."""

from __future__ import annotations

from tests.e2e.hostile.exchange import Exchange
from tests.e2e.hostile.scenario import ALWAYS, RETRIES, Variant, fails


async def _at_once(exchange: Exchange) -> None:
    await exchange.reset()


async def _in_the_head(exchange: Exchange) -> None:
    response = exchange.whole()
    await exchange.send(response[: exchange.random.randint(1, response.index(b"\r\n\r\n"))])
    await exchange.reset()


async def _in_the_body(exchange: Exchange) -> None:
    response = exchange.whole()
    await exchange.send(response[: exchange.random.randint(response.index(b"\r\n\r\n") + 4, len(response) - 1)])
    await exchange.reset()


async def _after_the_answer(exchange: Exchange) -> None:
    await exchange.response()
    await exchange.reset()


async def _hang_up(exchange: Exchange) -> None:
    await exchange.hang_up()


async def _hang_up_in_the_head(exchange: Exchange) -> None:
    await exchange.send(exchange.whole()[:20])
    await exchange.hang_up()


VARIANTS = (
    Variant("reset at once", _at_once),
    Variant("reset in the head", _in_the_head),
    Variant("reset in the body", _in_the_body),
    Variant("reset after the answer", _after_the_answer),
    Variant("hung up at once", _hang_up),
    Variant("hung up in the head", _hang_up_in_the_head),
    Variant("reset at once, as often as it is tried", _at_once, RETRIES),
    Variant("reset in the body, as often as it is tried", _in_the_body, RETRIES),
    Variant("reset at once, for ever", _at_once, ALWAYS, fails("CURL error (52|56)")),
    Variant("reset in the body, for ever", _in_the_body, ALWAYS, fails("CURL error (18|56)")),
)
