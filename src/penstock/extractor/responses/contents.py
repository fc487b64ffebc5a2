"""From a response to a decoded document, or a clear error about what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import msgspec

from penstock.extractor.base.charset import UnknownCharset, content_type, to_utf8
from penstock.extractor.base.decode import NotJson, decode
from penstock.extractor.base.errors import UserError
from penstock.extractor.base.formats import Format
from penstock.extractor.base.http import FAILED
from penstock.extractor.base.json_text import json_text
from penstock.extractor.base.log import Log
from penstock.extractor.base.received import Received, excerpt
from penstock.extractor.config.jobs import Job
from penstock.extractor.config.policies import EmptyResponse, usual
from penstock.foundation.outbound import Response

NO_CONTENT = 204
"""The status of a response that is supposed to have no body."""
NOT_JSON = 0
"""Represents a body that is not JSON among the statuses to ignore."""

LOOKED_AT = 1024
_FIRST_NAME = rb"<([a-z][a-z0-9:._-]*)"
_OF_WEB_PAGES = frozenset(
    b"a b body br center div font form h1 h2 h3 head html i img link meta p pre script span style table title".split()
)
WEB_PAGE = " It is a web page: check `baseUrl` and `endpoint`, and whether the API wants a login."
XML = " It is XML: ask the API for JSON, for example with the header `Accept: application/json`."


def markup_hint(body: bytes) -> str:
    """Returns what to do about a body that is not JSON; empty if it is not markup."""
    start = body[:LOOKED_AT].removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    if not start.startswith(b"<"):
        return ""
    return WEB_PAGE if _is_web_page(start) else XML


def _is_web_page(start: bytes) -> bool:
    """XHTML begins like XML, and error pages often lack `<html>`."""
    if b"<!doctype html" in start or b"<html" in start:
        return True
    first = re.search(_FIRST_NAME, start)
    return first is not None and first[1] in _OF_WEB_PAGES and not start.startswith(b"<?xml")


class Content(msgspec.Struct, frozen=True):
    """A response as JSON: its text and the decoded document. The text is empty for an empty body."""

    text: bytes
    document: Any = None
    warnings: tuple[str, ...] = ()
    dropped: int = 0
    """How many invalid bytes and escapes were dropped."""
    empty: str = ""
    """Which page it is, for the report, if its body was unexpectedly empty."""


class Reading(msgspec.Struct, frozen=True):
    """How the responses to a job are read."""

    format: Format = Format()
    ignored: frozenset[int] = frozenset()
    """Statuses that do not count as failures."""

    def ignores(self, status: int) -> bool:
        """Returns whether a response of this status must not fail the run, whatever its body is."""
        return bool(self.ignored & {NOT_JSON, status})

    def read(self, response: Response) -> Content:
        """Reads a response in UTF-8. Raises NotJson, or UserError if the body is not in its format."""
        if response.status >= FAILED:
            warning = f"Failed to get response [{response.status}] {response.reason}, which is ignored."
            # Error responses are JSON, whatever the format of the records.
            return _read_leniently(response.body, Format(), warning)
        if self._is_empty(response):
            return Content(b"")
        if self.ignores(response.status):
            return _read_leniently(response.body, self.format)
        return _read(self.format.to_json(response.body))

    def _is_empty(self, response: Response) -> bool:
        """Returns whether the body is blank, unless a blank body counts as one that is not JSON and is ignored as
        such."""
        is_error_data = self.format.name == "json" and self.ignores(response.status)
        return not is_error_data and self.format.is_blank(response.body)


class Contents:
    """Reads the responses to one run of a job, page by page, and logs warnings about them."""

    def __init__(
        self,
        job: Job,
        ignored: frozenset[int],
        log: Log,
        endpoint: str = "",
        empty_response: EmptyResponse | None = None,
    ) -> None:
        """`endpoint` has its placeholders filled; `empty_response` is the default for jobs that do not set it."""
        self.endpoint, self._log = endpoint or job.endpoint, log
        self._empty_response = job.empty_response or empty_response or usual(job.format)
        self.reading = Reading(job.format, ignored)
        self.received = Received()
        """The page that is being read, for messages about it."""

    def read(self, response: Response) -> Content:
        try:
            content = self.reading.read(response)
        except NotJson as error:
            raise self.broken(error, response.body) from error
        self.warn(content.warnings, content.dropped)
        is_missing = not content.text and response.status != NO_CONTENT
        return msgspec.structs.replace(content, empty=self._report_empty()) if is_missing else content

    def in_utf8(self, response: Response, number: int = 1) -> tuple[Response, int]:
        """Returns the response with its body in UTF-8, and how many invalid bytes were dropped; `number` is that of the
        page.

        Raises UserError for an unknown charset."""
        if not self.reading.format.is_json and response.status < FAILED:
            return response, 0
        try:
            text = to_utf8(response.body, content_type(response))
        except UnknownCharset as error:
            if self.reading.ignores(response.status):
                return response, 0
            raise self.unknown_charset(error, number) from error
        is_same = text.body is response.body
        return response if is_same else msgspec.structs.replace(response, body=text.body), text.dropped

    def unknown_charset(self, error: UserError, number: int) -> UserError:
        return UserError(f"{error} It is page {number} of '{self.endpoint}'.")

    def warn(self, warnings: Iterable[str], dropped: int) -> None:
        """Logs warnings about the page that is being read."""
        for warning in warnings:
            self._log.warning(warning, **self.received.context(self.endpoint, self._log.redactor))
        if dropped:
            where = f"page {self.received.number} of '{self.endpoint}'"
            self._log.warning(f"Left out {dropped} bytes or escapes that are not Unicode text, on {where}.")

    def broken(self, error: NotJson, body: bytes) -> UserError:
        """Returns the error for a body that is not JSON; its beginning is enough."""
        start, hint = excerpt(body, self._log.redactor), markup_hint(body)
        return UserError(
            f"Invalid JSON response from API: JSON decode error: {error.family} ({error} at byte {error.at} of page "
            f"{self.received.number} of '{self.endpoint}').{hint} The response starts with: {start}"
        )

    def _report_empty(self) -> str:
        """Returns which page it is, for the report, or empty if such pages are ignored; raises UserError if they are
        errors."""
        if self._empty_response == "ignore":
            return ""
        number, address = self.received.number, self.received.address
        what = (
            f"The response body of page {number} of '{self.endpoint}' is empty ({address}, status "
            f"{self.received.status}), so it contains no data. Records may be missing, on this page and after it."
        )
        if self._empty_response == "error":
            raise UserError(f'{what} To continue without them, set `emptyResponse` to "warning" or "ignore".')
        self._log.warning(f'{what} To fail the run instead, set `emptyResponse` to "error".')
        return f"page {number}, {address}"


def _read(text: bytes, *warnings: str) -> Content:
    decoded = decode(text)
    return Content(text, decoded.document, warnings, decoded.dropped)


def _read_leniently(body: bytes, form: Format, *warnings: str) -> Content:
    """Reads a body that must not fail the run: one that cannot be read becomes `errorData`."""
    try:
        return _read(form.to_json(body), *warnings)
    except (NotJson, UserError) as error:
        document = {"errorData": body.decode("utf-8", "ignore")}
        return Content(json_text(document).encode(), document, (*warnings, f"Failed to parse response {error}"))
