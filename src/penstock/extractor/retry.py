"""When a failed request is sent again, and how long to wait before."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from penstock.extractor.errors import UserError

MOST_RETRIES = 10
RETRIED_STATUSES = frozenset({500, 502, 503, 504, 408, 420, 429})
RETRIED_KINDS = frozenset({"resolve", "connect", "closed", "timeout"})
"""Failures on the way that may pass; a certificate that is not trusted will not be tomorrow either."""
NOBODY_THERE = frozenset({"resolve", "connect"})
RETRIES_OF_STRANGERS = 3
"""A host that has not answered once in this run is more likely a mistyped address than one that is down for a while."""
LONGEST_WAIT = 3600.0
_DAY = 86400


def wait_before(retry: int, headers: Mapping[str, str], now: datetime) -> float:
    """Seconds before the n-th retry: what the API asks for, or else 1, 2, 4, … Raises UserError beyond an hour."""
    asked = _asked(headers.get("Retry-After", "").strip(), now)
    seconds = max(asked, 0.0) if asked else float(2 ** (retry - 1))
    if seconds > LONGEST_WAIT:
        raise UserError(
            f"The API asks to wait {seconds:.0f} seconds before the next request, which is longer than an hour. "
            "Run the extraction again later."
        )
    return seconds


def _asked(value: str, now: datetime) -> float:
    """Seconds, a Unix timestamp, or a date; 0 when there is none that can be read."""
    try:
        number = int(float(value))
    except (ValueError, OverflowError):
        return _until(value, now)
    return number if number < now.timestamp() - _DAY else number - now.timestamp()


def _until(value: str, now: datetime) -> float:
    try:
        moment = parsedate_to_datetime(value)
    except (ValueError, IndexError, TypeError):
        return 0.0
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return (aware - now).total_seconds()
