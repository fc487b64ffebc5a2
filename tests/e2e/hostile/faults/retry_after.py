"""H6: too many requests, with every kind of `Retry-After`."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

from tests.e2e.hostile.exchange import Exchange
from tests.e2e.hostile.scenario import ALWAYS, RETRIES, Fault, Variant, fails

STATUSES = ("429 Too Many Requests", "503 Service Unavailable")
UNCAPPED = {"retryConfig": {"maxWait": None}}
TOO_LONG = fails("The API asks to wait [0-9]+ seconds before the next request, which is longer than an hour")


def _asking(wait: str | None) -> Fault:
    async def refuse(exchange: Exchange) -> None:
        headers = [] if wait is None else [("Retry-After", wait)]
        await exchange.response(b'{"message":"slow down"}', headers, exchange.random.choice(STATUSES))

    return refuse


def _date(**ahead: int) -> str:
    return format_datetime(datetime.now(UTC) + timedelta(**ahead), usegmt=True)


def _time(seconds: int) -> str:
    return str(int(datetime.now(UTC).timestamp()) + seconds)


CAPPED = {
    "nothing": None,
    "0": "0",
    "3": "3",
    "3600": "3600",
    "10^9": "1000000000",
    "-5": "-5",
    "2.5": "2.5",
    "a date to come": _date(days=1),
    "a date gone by": _date(days=-1),
    "a time to come": _time(86400),
    "a time gone by": _time(-60),
    "words": "soon, perhaps",
    "an empty text": "",
    "forty digits": "9" * 40,
    "a date that is none": "Thu, 99 Jan 2026 00:00:00 GMT",
}
"""What is asked for; with `maxWait` 0 nobody waits."""
NEVER_LATE = {"-5": "-5", "a date gone by": _date(hours=-2), "a time gone by": _time(-7200)}
"""Waits that are over, which need no cap."""
BEYOND_AN_HOUR = {"3601": "3601", "10^9": "1000000000", "a date to come": _date(hours=2), "10^40": "1" + "0" * 40}

VARIANTS = (
    *(Variant(f"wait: {name}", _asking(wait)) for name, wait in CAPPED.items()),
    *(
        Variant(f"wait without a cap: {name}", _asking(wait), RETRIES, api=UNCAPPED)
        for name, wait in NEVER_LATE.items()
    ),
    *(Variant(f"wait too long: {name}", _asking(w), ALWAYS, TOO_LONG, UNCAPPED) for name, w in BEYOND_AN_HOUR.items()),
    Variant("wait for ever", _asking("1"), ALWAYS, fails(r"The API request failed: \[(429|503)\]")),
)
