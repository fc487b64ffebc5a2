"""What messages say about a response: which page of which endpoint it is, where it came from, and how it begins."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from penstock.extractor.http import Message
from penstock.extractor.log import printable
from penstock.foundation.redaction import Redactor

SHOWN_BYTES = 200


class Received(msgspec.Struct, frozen=True):
    """A response that is being read. Message and body are looked up only if there is something to say."""

    number: int = 1
    """Of the page, from 1."""
    status: int = 200
    message: Callable[[], Message] = lambda: Message("GET", "")
    """What was asked, without what authentication adds."""
    body: Callable[[], bytes] = bytes
    """The body, or the beginning of a large one."""

    @property
    def address(self) -> str:
        """As in `GET https://api.example.com/users?page=2`."""
        message = self.message()
        return f"{message.method} {message.url}"

    def context(self, endpoint: str, redactor: Redactor) -> dict[str, Any]:
        """The facts of a log line, secrets hidden. `endpoint` is the job's, with its placeholders filled."""
        message = self.message()
        return {
            "endpoint": printable(endpoint),
            "page": self.number,
            "method": message.method,
            "url": printable(message.url),
            "status": self.status,
            "response": start_of(self.body(), redactor),
        }


def start_of(body: bytes, redactor: Redactor) -> str:
    """The beginning of a body on one line, fit for a log; secrets are hidden before it is cut.

    UTF-16 that nobody declares is ASCII with zeros between, among which no secret would be recognized.
    """
    text = redactor.clean_start(body.replace(b"\0", b""), SHOWN_BYTES, "replace")
    return printable(" ".join(text.split()))
