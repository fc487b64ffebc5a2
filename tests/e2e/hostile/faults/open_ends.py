"""H3: no length is told, and only the end of the connection says that the body is over; it ends early.

JSON that is cut is noticed. Lines that are cut between two records look whole: nothing in the response says otherwise,
so such a page is marked as unverified in the report, and a count that the API claims tells what is missing.
"""

from __future__ import annotations

from tests.e2e.hostile.exchange import Exchange
from tests.e2e.hostile.outcomes import unverified
from tests.e2e.hostile.scenario import ALWAYS, Variant, disagrees, fails

NOT_JSON = fails("Invalid JSON response from API: JSON decode error: .* at byte [0-9]+ of (page|line) ")


async def _send_all(exchange: Exchange) -> None:
    """Unusual, and in order: old servers do it."""
    await exchange.send(exchange.head(*exchange.headers) + exchange.body)
    await exchange.hang_up()


async def _cut_anywhere(exchange: Exchange) -> None:
    body = exchange.body
    await exchange.send(exchange.head(*exchange.headers) + body[: exchange.random.randint(1, len(body) - 1)])
    await exchange.hang_up()


async def _cut_within_a_line(exchange: Exchange) -> None:
    first = exchange.body.splitlines()[0]
    await exchange.send(exchange.head(*exchange.headers) + first[: exchange.random.randint(1, len(first) - 1)])
    await exchange.hang_up()


async def _cut_after_a_line(exchange: Exchange) -> None:
    lines = exchange.body.splitlines(keepends=True)
    await exchange.send(exchange.head(*exchange.headers) + b"".join(lines[:-1]))
    await exchange.hang_up()


async def _leave_a_record_out(exchange: Exchange) -> None:
    """What a server does that cuts, and then closes its brackets properly."""
    await exchange.send(exchange.head(*exchange.headers) + exchange.body_of(exchange.records[:-1]))
    await exchange.hang_up()


VARIANTS = (
    Variant("no length", _send_all, ALWAYS, unverified()),
    Variant("no length, as lines", _send_all, ALWAYS, unverified(), lines=True, is_of_records=True),
    Variant("JSON that is cut", _cut_anywhere, ALWAYS, NOT_JSON),
    Variant("a line that is cut", _cut_within_a_line, ALWAYS, NOT_JSON, lines=True, is_of_records=True),
    Variant(
        "lines that are cut after a line",
        *(_cut_after_a_line, ALWAYS, unverified(missing=1)),
        lines=True,
        is_of_records=True,
    ),
    Variant("a record that is left out", _leave_a_record_out, ALWAYS, disagrees, is_counted=True, is_of_records=True),
)
