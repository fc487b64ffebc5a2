"""From an answer to what it says: its text as JSON, decoded; or a clear word about what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from penstock.extractor.config.jobs import Job
from penstock.extractor.decode import NotJson, decode
from penstock.extractor.errors import UserError
from penstock.extractor.formats import Format
from penstock.extractor.http import FAILED
from penstock.extractor.json_text import json_text
from penstock.extractor.log import Log
from penstock.foundation.outbound import Answer

SHOWN_BYTES = 200
NOT_JSON = 0
"""What stands for a body that is not JSON among the statuses to ignore."""


class Content(msgspec.Struct, frozen=True):
    """A response as JSON: its text and what it says. Without text there was nothing."""

    text: bytes
    document: Any = None
    warnings: tuple[str, ...] = ()
    dropped: int = 0
    """How many bytes and escapes were left out because they are no text."""


class Reading(msgspec.Struct, frozen=True):
    """How the answers to a job are read."""

    format: Format = Format()
    ignored: frozenset[int] = frozenset()
    """Statuses that are no failures."""

    def ignores(self, status: int) -> bool:
        """Whether a body must not fail the run, whatever it is."""
        return bool(self.ignored & {NOT_JSON, status})

    def read(self, answer: Answer) -> Content:
        """Raises NotJson, or UserError if the body is not in its format."""
        if answer.status >= FAILED:
            warning = f"Failed to get response [{answer.status}] {answer.reason}, which is ignored."
            # Whatever the records come in, errors are JSON.
            return _read_anyhow(answer.body, Format(), warning)
        if self.ignores(answer.status):
            return _read_anyhow(answer.body, self.format)
        if not answer.body or answer.body.isspace():
            return Content(b"")
        return _read(self.format.to_json(answer.body))


class Contents:
    """Reads the answers to one job, page by page, and tells what is odd about them."""

    def __init__(self, job: Job, ignored: frozenset[int], log: Log) -> None:
        self.endpoint, self._log = job.endpoint, log
        self.reading = Reading(job.format, ignored)
        self.number = 1
        """Of the page that is read, for whoever has to look for it."""

    def read(self, answer: Answer) -> Content:
        try:
            content = self.reading.read(answer)
        except NotJson as error:
            raise self.broken(error, answer.body) from error
        self.tell(content.warnings, content.dropped)
        return content

    def tell(self, warnings: Iterable[str], dropped: int) -> None:
        for warning in warnings:
            self._log.warning(warning)
        if dropped:
            where = f"page {self.number} of '{self.endpoint}'"
            self._log.warning(f"Left out {dropped} bytes or escapes that are no Unicode text, on {where}.")

    def broken(self, error: NotJson, body: bytes) -> UserError:
        """What is wrong with a body; its beginning is enough."""
        start = " ".join(self._log.redactor.clean_start(body, SHOWN_BYTES, "replace").split())
        is_html = body.lstrip()[:1] == b"<"
        mend = (
            " It is a web page: check `baseUrl` and `endpoint`, and whether the API wants a login." if is_html else ""
        )
        return UserError(
            f"Invalid JSON response from API: JSON decode error: {error.family} ({error} at byte {error.at} of page "
            f"{self.number} of '{self.endpoint}').{mend} The response starts with: {start}"
        )


def _read(text: bytes, *warnings: str) -> Content:
    decoded = decode(text)
    return Content(text, decoded.document, warnings, decoded.dropped)


def _read_anyhow(body: bytes, form: Format, *warnings: str) -> Content:
    """A body that must not fail the run, whatever it is."""
    try:
        return _read(form.to_json(body), *warnings)
    except (NotJson, UserError) as error:
        document = {"errorData": body.decode("utf-8", "ignore")}
        return Content(json_text(document).encode(), document, (*warnings, f"Failed to parse response {error}"))
