"""From an answer to a page: its text decoded, its records found and filtered, or a clear word about what is wrong."""

from __future__ import annotations

from typing import Any

import msgspec

from penstock.extractor.client import Client
from penstock.extractor.config.jobs import Job
from penstock.extractor.decode import Decoded, NotJson, decode
from penstock.extractor.errors import UserError
from penstock.extractor.formats import Format
from penstock.extractor.http import Page, Request
from penstock.extractor.json_text import json_text
from penstock.extractor.log import Log
from penstock.extractor.records.columns import Column
from penstock.extractor.records.find import find_records, nothing_found
from penstock.extractor.records.typed import Typed
from penstock.foundation import clock
from penstock.foundation.outbound import Answer

SHOWN_BYTES = 200
FAILED = 400
"""From this status on, an answer that gets here is an error to ignore."""
NOT_JSON = 0
"""What stands for a body that is not JSON among the statuses to ignore."""


class Content(msgspec.Struct, frozen=True):
    """A response as JSON: its text and what it says."""

    text: bytes
    document: Any = None


class Reader:
    """Fetches the pages of one job run and finds their records."""

    def __init__(self, client: Client, ignored: frozenset[int], job: Job, log: Log, typed: Typed | None = None) -> None:
        """`typed` reads what it can, if nobody needs more of a page than its columns."""
        self._client, self._ignored, self._job, self._log, self._typed = client, ignored, job, log, typed
        self._number = 0

    async def fetch(self, request: Request) -> Page:
        self._number += 1
        asked = clock.now().timestamp()
        answer = await self._client.fetch(request)
        times = {"asked": asked, "received": clock.now().timestamp()}
        if self._typed and (rows := self._typed.read(answer.body)) is not None and answer.status not in self._ignored:
            return Page(rows, answer.body, None, answer.headers, **times)
        content = self._read(answer)
        records = self._records(content)
        if self._typed and records:
            self._typed.learn(content.document, Column(records))
        return Page(records, content.text, content.document, answer.headers, **times)

    def _records(self, content: Content) -> list[Any]:
        field, endpoint = self._job.field, self._job.endpoint
        found = find_records(content.document, field, endpoint) if content.text else nothing_found(field)
        if found.warning:
            self._log.warning(found.warning)
        return self._job.filter.apply(found.records)

    def _read(self, answer: Answer) -> Content:
        if answer.status >= FAILED:
            self._log.warning(f"Failed to get response [{answer.status}] {answer.reason}, which is ignored.")
            return self._read_anyhow(answer.body, Format())  # whatever the records come in, errors are JSON
        if self._ignored & {NOT_JSON, answer.status}:
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
        start = " ".join(self._log.redactor.clean_start(body, SHOWN_BYTES, "replace").split())
        is_html = body.lstrip()[:1] == b"<"
        mend = (
            " It is a web page: check `baseUrl` and `endpoint`, and whether the API wants a login." if is_html else ""
        )
        return (
            f"Invalid JSON response from API: JSON decode error: {error.family} ({error} at byte {error.at} of page "
            f"{self._number} of '{self._job.endpoint}').{mend} The response starts with: {start}"
        )
