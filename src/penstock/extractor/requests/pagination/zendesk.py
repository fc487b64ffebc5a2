"""Zendesk's incremental exports: next-URL pagination that stops before a start time of less than six minutes ago."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qsl

from penstock.extractor.base.http import Request
from penstock.extractor.records.page import Page
from penstock.extractor.requests.pagination.method import Step, Stop
from penstock.extractor.requests.pagination.response_url import ResponseUrl

TOO_RECENT = 6 * 60
FOUR_CENTURIES = 146_097 * 86_400
"""In seconds; the calendar repeats after 400 years."""

_UNIX_TIME = r"[+-]?[0-9]{1,18}"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class ZendeskUrl(ResponseUrl, frozen=True, tag="zendesk.response.url"):
    delimiter: str = "."
    """Not a setting here."""

    def after(self, job: Request, position: Any, page: Page) -> Step | Stop:
        address = self.address(page)
        if not address:
            return Stop("No more pages to scroll.")
        start = start_time(address)
        if start is not None and start > page.received - TOO_RECENT:
            return Stop(f'Next page start_time "{show_time(start)}" is too recent, skipping...')
        return self.follow(job, address)


def start_time(address: str) -> int | None:
    """Returns the Unix time in the query of a URL; None if there is none."""
    query = address.partition("#")[0].partition("?")[2]
    value = dict(parse_qsl(query, keep_blank_values=True)).get("start_time", "")
    return int(value) if re.fullmatch(_UNIX_TIME, value) else None


def show_time(seconds: int) -> str:
    """Writes the time, also for years that datetime does not support."""
    cycles, rest = divmod(seconds, FOUR_CENTURIES)
    moment = _EPOCH + timedelta(seconds=rest)
    return f"{moment.year + 400 * cycles:04d}-{moment:%m-%d %H:%M:%S}"
