"""H20: the API's clock is an hour off, and records share the value that pages go by."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from random import Random
from typing import Any

from tests.e2e.hostile.exchange import Exchange
from tests.e2e.hostile.faults.tokens import login
from tests.e2e.hostile.model import Data, Record
from tests.e2e.hostile.scenario import Fault, Outcome, Scenario, Variant, disagrees, fails
from tests.e2e.hostile.server import HostileApi
from tests.support.extraction import Extraction

HOUR = timedelta(hours=1)
OVER = fails("expiry time before current time")
OTHERS = ("offset", "pagenum", "response.url", "response.param", "link")
UNTIL = {"expires": {"response": "until"}}


def _dated(ahead: timedelta) -> Fault:
    async def response(exchange: Exchange) -> None:
        date = format_datetime(datetime.now(UTC) + ahead, usegmt=True)
        await exchange.response(headers=[*exchange.headers, ("Date", date), ("Expires", date)])

    return response


def _busy_until(ahead: timedelta) -> Fault:
    async def response(exchange: Exchange) -> None:
        date = format_datetime(datetime.now(UTC) + ahead, usegmt=True)
        await exchange.response(b"", [("Retry-After", date)], "429 Too Many Requests")

    return response


def _session_until(ahead: timedelta) -> Fault:
    async def response(exchange: Exchange) -> None:
        until = int((datetime.now(UTC) + ahead).timestamp())
        await exchange.response(f'{{"session":{{"token":"t"}},"until":{until}}}'.encode(), ())

    return response


def _equal_at_the_border(data: Data, _position: int, _random: Random) -> Data:
    """The last record of the first page and the first of the second share their id, and a page holds more than two."""
    size = max(data.size, 3)
    return Data(_sharing(_longer(data), size - 1, size), size)


def _equal_on_a_whole_page(data: Data, _position: int, _random: Random) -> Data:
    """And with a page behind it: with two pages in all, the doubled records would make up for the lost ones."""
    return Data(_sharing(_longer(data), data.size - 1, 2 * data.size - 1), data.size)


def _longer(data: Data) -> tuple[Record, ...]:
    last = data.records[-1]
    return (*data.records, *(replace(last, id=last.id + 1 + index) for index in range(data.size)))


def _sharing(records: tuple[Record, ...], first: int, last: int) -> tuple[Record, ...]:
    """All records, of which some have the id of the first of them."""
    return tuple(
        replace(record, id=records[first].id, name=f"number {index}") if first <= index <= last else record
        for index, record in enumerate(records)
    )


async def _from_the_cursor_on(exchange: Exchange) -> None:
    """Records from the cursor on, the one that has it included: nobody is left out, some come twice."""
    data, since = exchange.scenario.data, int(exchange.request.params.get("since", -1))
    later = [record for record in data.records if record.id >= since]
    await exchange.response(exchange.body_of(later[: data.size]))


def _nobody_is_lost(scenario: Scenario) -> Outcome:
    def check(run: Extraction, _api: HostileApi) -> None:
        rows = [tuple(row.values()) for row in run.rows("hostile.items")]
        assert list(dict.fromkeys(rows)) == [record.cells for record in scenario.records]

    return Outcome(check=check)


SHARED: dict[str, Any] = {"data": _equal_at_the_border, "ways": ("cursor",)}
VARIANTS = (
    Variant("a clock that is behind", _dated(-HOUR), is_everywhere=True),
    Variant("a clock that is ahead", _dated(HOUR), is_everywhere=True),
    Variant("a clock of another century", _dated(timedelta(days=-36525)), is_everywhere=True),
    Variant("wait until an hour ago", _busy_until(-HOUR), api={"retryConfig": {"maxWait": None}}),
    Variant("wait for an hour", _busy_until(HOUR)),
    Variant("a session until later", api=login(**UNTIL), login=_session_until(2 * HOUR)),
    Variant("a session that is over", None, 1, OVER, login(**UNTIL), login=_session_until(-HOUR)),
    Variant("records that share an id", data=_equal_at_the_border, ways=OTHERS),
    Variant("records that share a cursor", _from_the_cursor_on, 1, _nobody_is_lost, **SHARED, is_everywhere=True),
    Variant("records that share a cursor and are skipped", None, 1, disagrees, **SHARED, is_counted=True),
    Variant(
        "more records that share a cursor than fit on a page",
        *(_from_the_cursor_on, 1, disagrees),
        data=_equal_on_a_whole_page,
        ways=("cursor",),
        is_counted=True,
        is_full=True,
        is_everywhere=True,
    ),
)
