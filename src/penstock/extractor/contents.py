"""From an answer to what it says: its text as JSON, decoded; or a clear word about what is wrong with it."""

from __future__ import annotations

from typing import Any

import msgspec

from penstock.extractor.config.jobs import Job
from penstock.extractor.decode import Decoded, NotJson, decode
from penstock.extractor.errors import UserError
from penstock.extractor.formats import Format
from penstock.extractor.json_text import json_text
from penstock.extractor.log import Log
from penstock.foundation.outbound import Answer

SHOWN_BYTES = 200
FAILED = 400
"""From this status on, an answer that gets here is an error to ignore."""
NOT_JSON = 0
"""What stands for a body that is not JSON among the statuses to ignore."""


class Content(msgspec.Struct, frozen=True):
    """A response as JSON: its text and what it says. Without text there was nothing."""

    text: bytes
    document: Any = None


class Contents:
    """Reads the answers to one job, page by page."""

    def __init__(self, job: Job, ignored: frozenset[int], log: Log) -> None:
        self._job, self._ignored, self._log = job, ignored, log
        self._number = 0

    def read(self, answer: Answer) -> Content:
        self._number += 1
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
