"""H2: a body that is shorter than it claims, or whose last chunk never comes."""

from __future__ import annotations

from tests.e2e.hostile.exchange import Exchange
from tests.e2e.hostile.scenario import ALWAYS, RETRIES, Variant, fails

CHUNKED = ("Transfer-Encoding", "chunked")
CUT_SHORT = fails("CURL error 18: The response of 127.0.0.1 is cut short")


async def _claim_more(exchange: Exchange) -> None:
    """The whole page comes, as valid JSON, and yet something is missing."""
    length = ("Content-Length", str(len(exchange.body) + exchange.random.randint(1, 1000)))
    await exchange.send(exchange.head(*exchange.headers, length) + exchange.body)
    await exchange.hang_up()


async def _cut_in_a_chunk(exchange: Exchange) -> None:
    body = exchange.body
    sent = body[: exchange.random.randint(0, len(body) - 1)]
    await exchange.send(exchange.head(*exchange.headers, CHUNKED) + b"%x\r\n%b" % (len(body), sent))
    await exchange.hang_up()


async def _leave_out_the_last_chunk(exchange: Exchange) -> None:
    """All of the page, without the empty chunk that ends it."""
    body = exchange.body
    await exchange.send(exchange.head(*exchange.headers, CHUNKED) + b"%x\r\n%b\r\n" % (len(body), body))
    await exchange.hang_up()


async def _cut_the_last_chunk(exchange: Exchange) -> None:
    body = exchange.body
    await exchange.send(exchange.head(*exchange.headers, CHUNKED) + b"%x\r\n%b\r\n0\r\n" % (len(body), body))
    await exchange.hang_up()


FAULTS = {
    "shorter than its length": _claim_more,
    "cut in a chunk": _cut_in_a_chunk,
    "without the last chunk": _leave_out_the_last_chunk,
    "half the last chunk": _cut_the_last_chunk,
}

VARIANTS = (
    *(Variant(name, fault) for name, fault in FAULTS.items()),
    *(Variant(f"{name}, as lines", fault, lines=True, is_of_records=True) for name, fault in FAULTS.items()),
    *(Variant(f"{name}, as often as it is tried", fault, RETRIES) for name, fault in FAULTS.items()),
    *(Variant(f"{name}, for ever", fault, ALWAYS, CUT_SHORT) for name, fault in FAULTS.items()),
)
