"""H4: a length that is too small, told twice, or told beside chunks: whoever believes the wrong one reads the rest of
one response as the next."""

from __future__ import annotations

from tests.e2e.hostile.exchange import Exchange
from tests.e2e.hostile.faults.short_bodies import CHUNKED
from tests.e2e.hostile.scenario import ALWAYS, Variant, fails

NOT_HTTP = fails("127.0.0.1 did not respond with valid HTTP")
REJECTED = fails("did not respond with valid HTTP|Invalid JSON response from API")


async def _claim_less(exchange: Exchange) -> None:
    length = ("Content-Length", str(exchange.random.randint(1, len(exchange.body) - 1)))
    await exchange.send(exchange.head(*exchange.headers, length) + exchange.body)


async def _claim_a_line_less(exchange: Exchange) -> None:
    """The last line is left over, and what the length covers looks whole."""
    length = sum(len(line) for line in exchange.body.splitlines(keepends=True)[:-1])
    await exchange.send(exchange.head(*exchange.headers, ("Content-Length", str(length))) + exchange.body)


async def _claim_twice(exchange: Exchange) -> None:
    lengths = [("Content-Length", str(len(exchange.body) - less)) for less in (0, 1)]
    await exchange.send(exchange.head(*exchange.headers, *lengths) + exchange.body)


async def _claim_beside_chunks(exchange: Exchange) -> None:
    body = exchange.body
    length = ("Content-Length", str(len(body) // 2))
    chunks = b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
    await exchange.send(exchange.head(*exchange.headers, length, CHUNKED) + chunks)


async def _claim_nonsense(exchange: Exchange) -> None:
    length = exchange.random.choice(["-1", "+7", "1e3", "0x10", "many", "1,2"])
    await exchange.send(exchange.head(*exchange.headers, ("Content-Length", length)) + exchange.body)


async def _chunk_nonsense(exchange: Exchange) -> None:
    size = exchange.random.choice([b"-1", b"xyz", b"", b"fffffffffffffffff"])
    await exchange.send(exchange.head(*exchange.headers, CHUNKED) + size + b"\r\n" + exchange.body)
    await exchange.hang_up()


VARIANTS = (
    Variant("too small a length", _claim_less, ALWAYS, REJECTED),
    Variant(*("too small a length, as lines", _claim_a_line_less, ALWAYS, NOT_HTTP), lines=True, is_of_records=True),
    Variant("two lengths", _claim_twice, ALWAYS, NOT_HTTP),
    Variant("a length beside chunks", _claim_beside_chunks, ALWAYS, NOT_HTTP),
    Variant("a length that is no number", _claim_nonsense, ALWAYS, NOT_HTTP),
    Variant("chunks of no size", _chunk_nonsense, ALWAYS, NOT_HTTP),
)
