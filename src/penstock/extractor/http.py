"""A request for one page and the page that answers it, free of any HTTP library."""

from __future__ import annotations

from typing import Any

import msgspec

from penstock.extractor.decode import decode
from penstock.extractor.json_text import json_text


class Request(msgspec.Struct, frozen=True):
    """What a job asks for: an endpoint relative to the base address, and query parameters."""

    endpoint: str
    params: dict[str, Any] = msgspec.field(default_factory=dict[str, Any])

    def with_params(self, params: dict[str, Any]) -> Request:
        """The same request with these parameters; those already there keep their place."""
        return Request(self.endpoint, {**self.params, **params})


class Page(msgspec.Struct, frozen=True):
    """One response: its records, and its bytes, from which the records can be read again."""

    records: list[Any]
    body: bytes = b""

    def repeats(self, previous: Trace | None) -> bool:
        """Whether the response equals the one before, whatever its white space and escapes."""
        if previous is None or self.trace.sample != previous.sample:
            return False
        return self.body == previous.body or _canonical(self.body) == _canonical(previous.body)

    @property
    def trace(self) -> Trace:
        return Trace(self.body, json_text(self.records[:1]))


class Trace(msgspec.Struct, frozen=True):
    """What is kept of a page to recognise it, without keeping its records in memory."""

    body: bytes
    sample: str


def _canonical(body: bytes) -> str:
    return json_text(decode(body).document) if body and not body.isspace() else ""
