"""The rate limit of the configuration: so many requests to a host in so many seconds.

If one is configured, the rate limit headers of the API are honoured too: when `X-RateLimit-Remaining` is 0, the next
request waits until `X-RateLimit-Reset`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any

import msgspec

from penstock.extractor.base.integers import exact_integer
from penstock.extractor.base.section import Section
from penstock.extractor.base.values import as_map, is_empty

INTERVALS = {"second": 1.0, "minute": 60.0, "hour": 3600.0, "day": 86400.0}
MAX_PAUSE = 3600.0
MAX_REQUESTS = 10**9
_A_YEAR = 31_536_000


class RateLimit(msgspec.Struct, frozen=True):
    """The `rateLimit` section."""

    requests: int
    interval: float = 1.0


def read_rate_limit(raw: Any) -> RateLimit | None:
    if is_empty(raw):
        return None
    section = Section(as_map(raw), "parameters.api.rateLimit")
    requests = exact_integer(section.get("requests")) or 0
    if not 0 < requests < MAX_REQUESTS:
        raise section.wrong("requests", "a whole number of at least 1")
    return RateLimit(requests, _read_interval(section))


def _read_interval(section: Section) -> float:
    if section.get("interval") is None:
        return INTERVALS["second"]
    seconds = INTERVALS.get(str(section.get("interval")).lower()) or section.seconds("interval", 0.0)
    if not seconds:
        raise section.wrong("interval", f"a number of seconds or one of {', '.join(INTERVALS)}")
    return seconds


class RateLimiter:
    """When the next request to each host may be sent."""

    def __init__(self, limit: RateLimit | None) -> None:
        self._limit = limit
        self._sent: dict[str, deque[float]] = {}
        self._closed_until: dict[str, float] = {}

    def wait(self, host: str, now: float) -> float:
        """Returns how many seconds to wait; the request counts as sent after them."""
        if self._limit is None:
            return 0.0
        sent = self._sent.setdefault(host, deque(maxlen=self._limit.requests))
        is_full = len(sent) == self._limit.requests
        start = max(now, self._closed_until.get(host, 0.0), sent[0] + self._limit.interval if is_full else 0.0)
        sent.append(start)
        return start - now

    def observe(self, host: str, headers: Mapping[str, str], now: float) -> None:
        """Takes the rate limit headers of a response into account."""
        remaining, reset = headers.get("X-RateLimit-Remaining", ""), headers.get("X-RateLimit-Reset", "")
        if self._limit is None or remaining.strip() != "0" or not reset.strip().replace(".", "", 1).isdecimal():
            return
        number = float(reset)
        seconds = number - now if number > _A_YEAR else number
        self._closed_until[host] = now + min(max(seconds, 0.0), MAX_PAUSE)
