"""From an answer to a page: its text decoded, its records found and filtered, or a clear word about what is wrong."""

from __future__ import annotations

from typing import Any

import msgspec

from penstock.extractor.client import Client
from penstock.extractor.config.jobs import Job
from penstock.extractor.decode import Decoded, NotJson, decode
from penstock.extractor.errors import UserError
from penstock.extractor.http import Page, Request
from penstock.extractor.json_text import json_text
from penstock.extractor.log import Log
from penstock.extractor.records.find import find_records, nothing_found
from penstock.extractor.responses import Format
from penstock.foundation import clock
from penstock.foundation.outbound import Answer

SHOWN_BYTES = 200
NOT_JSON = 0
"""What stands for a body that is not JSON among the statuses to ignore."""


class Content(msgspec.Struct, frozen=True):
    """A response as JSON: its text and what it says."""

    text: bytes
    document: Any = None


class Reader:
    """Fetches the pages of one job run and finds their records."""

    def __init__(self, client: Client, ignored: frozenset[int], job: Job, log: Log) -> None:
        self._client, self._ignored, self._job, self._log = client, ignored, job, log
        self._number = 0

    async def fetch(self, request: Request) -> Page:
        self._number += 1
        asked = clock.now().timestamp()
        answer = await self._client.fetch(request)
        content = self._read(answer)
        times = {"asked": asked, "received": clock.now().timestamp()}
        return Page(self._records(content), content.text, content.document, answer.headers, **times)

    def _records(self, content: Content) -> list[Any]:
        field, endpoint = self._job.field, self._job.endpoint
        found = find_records(content.document, field, endpoint) if content.text else nothing_found(field)
        if found.warning:
            self._log.warning(found.warning)
        return self._job.filter.apply(found.records)

    def _read(self, answer: Answer) -> Content:
        if answer.status in self._ignored:
            self._log.warning(f"Failed to get response [{answer.status}] {answer.reason}, which is ignored.")
            return self._read_anyhow(answer.body, Format())  # whatever the records come in, errors are JSON
        if NOT_JSON in self._ignored:
            return self._read_anyhow(answer.body, self._job.format)
        if not answer.body or answer.body.isspace():
            return Content(b"")
        text = self._job.format.to_json(answer.body)
        try:
            return Content(text, self._decode(text))
        except NotJson as error:
            raise UserError(self._complaint(error, answer.body)) from error

    def _read_anyhow(self, body: bytes, form: Format) -> Content:
        """A body that must not fail the run, whatever it is."""
        try:
            text = form.to_json(body)
            return Content(text, self._decode(text))
        except (NotJson, UserError) as error:
            self._log.warning(f"Failed to parse response {error}")
            document = {"errorData": body.decode("utf-8", "ignore")}
            return Content(json_text(document).encode(), document)

    def _decode(self, text: bytes) -> Any:
        decoded = decode(text)
        self._tell_dropped(decoded)
        return decoded.document

    def _tell_dropped(self, decoded: Decoded) -> None:
        if decoded.dropped:
            where = f"page {self._number} of '{self._job.endpoint}'"
            self._log.warning(f"Left out {decoded.dropped} bytes or escapes that are no Unicode text, on {where}.")

    def _complaint(self, error: NotJson, body: bytes) -> str:
        start = " ".join(body[:SHOWN_BYTES].decode("utf-8", "replace").split())
        is_html = body.lstrip()[:1] == b"<"
        mend = (
            " It is a web page: check `baseUrl` and `endpoint`, and whether the API wants a login." if is_html else ""
        )
        return (
            f"Invalid JSON response from API: JSON decode error: {error.family} ({error} at byte {error.at} of page "
            f"{self._number} of '{self._job.endpoint}').{mend} The response starts with: {start}"
        )
