"""H7: errors of the server that pass after a while, or come and go."""

from __future__ import annotations

from tests.e2e.hostile.exchange import Exchange
from tests.e2e.hostile.scenario import ALWAYS, RETRIES, Variant, fails

STATUSES = (
    *("500 Internal Server Error", "502 Bad Gateway", "503 Service Unavailable", "504 Gateway Timeout"),
    *("408 Request Timeout", "420 Enhance Your Calm"),
)


async def _fail(exchange: Exchange) -> None:
    body = exchange.random.choice([b"", b"<h1>Oops</h1>", b'{"items":[]}', exchange.body])
    await exchange.response(body, exchange.headers, exchange.random.choice(STATUSES))


async def _flap(exchange: Exchange) -> None:
    """Every page fails about half of the time, and never more often than it is tried."""
    is_down = exchange.attempt < RETRIES and exchange.random.random() < 0.5
    await (_fail(exchange) if is_down else exchange.response())


VARIANTS = (
    *(Variant(f"down for {times} requests", _fail, times) for times in range(1, RETRIES + 1)),
    Variant("up and down", _flap, is_everywhere=True),
    Variant("down for one request too many", _fail, RETRIES + 1, fails(r"The API request failed: \[[0-9]{3}\]")),
    Variant("down for ever", _fail, ALWAYS, fails(r"The API request failed: \[[0-9]{3}\]")),
    Variant("no retries", _fail, 1, fails(r"The API request failed: \[[0-9]{3}\]"), {"retryConfig": {"maxRetries": 0}}),
)
