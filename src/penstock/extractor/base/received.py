"""Details of a response for messages: the page, the endpoint, the request, and the beginning of the body."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from penstock.extractor.base.http import Message
from penstock.extractor.base.log import printable
from penstock.foundation.redaction import Redactor

SHOWN_BYTES = 200


class Received(msgspec.Struct, frozen=True):
    """A response that is being read. Message and body are callables, because they are rarely needed."""

    number: int = 1
    """The number of the page, from 1."""
    status: int = 200
    message: Callable[[], Message] = lambda: Message("GET", "")
    """What was sent, without authentication."""
    body: Callable[[], bytes] = bytes
    """The body, or the beginning of a large one."""

    @property
    def address(self) -> str:
        """Returns, for example, `GET https://api.example.com/users?page=2`."""
        message = self.message()
        return f"{message.method} {message.url}"

    def context(self, endpoint: str, redactor: Redactor) -> dict[str, Any]:
        """Returns the fields of a log line, redacted. `endpoint` is that of the job, with its placeholders filled."""
        message = self.message()
        return {
            "endpoint": printable(endpoint),
            "page": self.number,
            "method": message.method,
            "url": printable(message.url),
            "status": self.status,
            "response": excerpt(self.body(), redactor),
        }


def excerpt(body: bytes, redactor: Redactor) -> str:
    """Returns the beginning of a body on one line, for a log; redacted before it is cut.

    Zero bytes are removed, because UTF-16 that is not declared is ASCII with zeros between, in which no secret would be
    found.
    """
    text = redactor.clean_start(body.replace(b"\0", b""), SHOWN_BYTES, "replace")
    return printable(" ".join(text.split()))
