"""When a failed request is retried, and how long to wait before."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import msgspec

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.section import Section
from penstock.extractor.base.values import as_map, is_empty
from penstock.foundation.outbound import Kind

MAX_RETRIES = 10
MAX_WAIT = 3600.0
MAX_POWER = 30
CURL_CODES: dict[str, int] = {
    "resolve": 6,
    "connect": 7,
    "cut": 18,
    "timeout": 28,
    "handshake": 35,
    "redirects": 47,
    "empty": 52,
    "receive": 56,
    "certificate": 60,
    "bundle": 77,
}
"""Failures without a response, and their numbers in configurations."""
RETRIED_STATUSES = frozenset({500, 502, 503, 504, 408, 420, 429})
RETRIED_CODES = frozenset({28, 6, 7, 35, 52, 56, 18})
"""Those of the original, and 18, a response that was cut."""
UNREACHABLE = frozenset({"resolve", "connect"})
RETRIES_OF_UNKNOWN_HOSTS = 3
"""A host that has not responded once in this run is more likely mistyped than down for a while."""
_DAY = 86400
_NUMBER = r"[+-]?([0-9]+(?:\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,3})?"
_MAX_SECONDS = 1e15


class Retry(msgspec.Struct, frozen=True):
    """The `retryConfig` section."""

    most: int | None = None
    """None for the default, which is lower for hosts that have not responded yet."""
    header: str = "Retry-After"
    statuses: frozenset[int] = RETRIED_STATUSES
    codes: frozenset[int] = RETRIED_CODES
    longest_wait: float | None = None
    """The longest wait that the API may ask for; without a limit, a wait of more than an hour ends the run."""

    def retries_status(self, status: int, retries: int) -> bool:
        return status in self.statuses and retries < self._limit

    def retries_failure(self, kind: Kind, retries: int, *, is_unknown: bool) -> bool:
        is_mistyped = is_unknown and kind in UNREACHABLE and self.most is None
        limit = RETRIES_OF_UNKNOWN_HOSTS if is_mistyped else self._limit
        return CURL_CODES.get(kind) in self.codes and retries < limit

    def wait_before(self, retry: int, headers: Mapping[str, str], now: datetime) -> float:
        """Returns the seconds before the n-th retry: what the API asks for, or else 1, 2, 4, … Raises UserError beyond
        an hour."""
        requested = _asked(headers.get(self.header, "").strip(), now)
        seconds = max(requested, 0.0) if requested else 2.0 ** min(retry - 1, MAX_POWER)
        if self.longest_wait is not None:
            return min(seconds, self.longest_wait)
        if seconds > MAX_WAIT:
            reason = "The API asks to wait" if requested else f"It failed {retry} times, and the next wait would be"
            raise UserError(
                f"{reason} {seconds:.0f} seconds before the next request, which is longer than an hour. "
                "Run the extraction again later, or set `parameters.api.retryConfig.maxWait` to the longest wait."
            )
        return seconds

    @property
    def _limit(self) -> int:
        return MAX_RETRIES if self.most is None else self.most


def read_retry(raw: Any) -> Retry:
    section = Section(as_map(raw), "parameters.api.retryConfig")
    http, curl = section.within("http"), section.within("curl")
    if section.get("headerName") is not None or section.get("httpCodes") is not None:
        http = Section({"retryHeader": section.get("headerName"), "codes": section.get("httpCodes")}, http.path)
    if section.get("curlCodes") is not None:
        curl = Section({"codes": section.get("curlCodes")}, curl.path)
    return Retry(
        most=_read_number(section, "maxRetries"),
        header=http.text("retryHeader", "Retry-After"),
        statuses=_read_codes(http, RETRIED_STATUSES),
        codes=_read_codes(curl, RETRIED_CODES),
        longest_wait=_read_number(section, "maxWait"),
    )


def _read_codes(section: Section, default: frozenset[int]) -> frozenset[int]:
    codes = section.get("codes")
    if codes is None:
        return default
    if not isinstance(codes, (list, dict)):
        raise section.wrong("codes", "a list of numbers")
    return frozenset(code for code in as_map(codes).values() if type(code) is int)


def _read_number(section: Section, name: str) -> int | None:
    value = section.get(name)
    if value is None or is_empty(value):
        return None if value is None else 0
    if isinstance(value, bool) or not re.fullmatch(_NUMBER, str(value).strip()):
        raise section.wrong(name, "a number")
    return _whole(value)


def _asked(value: str, now: datetime) -> float:
    """Returns the seconds to wait, from a number of seconds, a Unix timestamp or a date; 0 for anything else."""
    if re.fullmatch(_NUMBER, value):
        number = _whole(value)
        return number if number < now.timestamp() - _DAY else number - now.timestamp()
    return _until(value, now)


def _whole(number: Any) -> int:
    return int(max(-_MAX_SECONDS, min(float(str(number)), _MAX_SECONDS)))


def _until(value: str, now: datetime) -> float:
    try:
        moment = parsedate_to_datetime(value)
    except (ValueError, IndexError, TypeError, OverflowError):
        return 0.0
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return (aware - now).total_seconds()
