"""Counts the requests and retries for one response, and receives its body."""

from __future__ import annotations

from typing import Protocol

import msgspec

from penstock.extractor.base.http import FAILED
from penstock.extractor.requests.sending.spill import Spill
from penstock.foundation.outbound import Response

SHOWN_OF_FAILURE = 1 << 16


class RequestCounts(Protocol):
    """Counts requests when they are sent, whatever becomes of their responses."""

    def count_request(self) -> None: ...
    def count_retry(self) -> None: ...


class FetchAttempt(msgspec.Struct):
    spill: Spill | None = None
    """Receives the body; if it is large, in a file."""
    ignored: frozenset[int] = frozenset()
    """Statuses that do not count as failures."""
    requests: int = 0
    """Logins included."""
    retries: int = 0
    counts: RequestCounts | None = None
    """Those of the job, or of the attempt that a login is for."""

    @property
    def is_large(self) -> bool:
        return self.spill is not None and self.spill.path is not None

    def begin(self) -> None:
        """Starts a request, and drops what an earlier one has received."""
        self.count_request()
        if self.spill is not None:
            self.spill.discard()

    def count_request(self) -> None:
        self.requests += 1
        if self.counts is not None:
            self.counts.count_request()

    def count_retry(self) -> None:
        self.retries += 1
        if self.counts is not None:
            self.counts.count_retry()

    def size_of(self, response: Response) -> int:
        """Returns how many bytes the body has, also if it is in a file."""
        path = self.spill.path if self.spill else None
        return path.stat().st_size if path is not None and path.exists() else len(response.body)

    def receive(self, response: Response) -> Response:
        """Returns the response with its body, unless that is in a file; with the beginning of the body for a
        failure."""
        if self.spill is None:
            return response
        self.spill.close()
        body = self.spill.body
        is_failure = response.status >= FAILED and response.status not in self.ignored
        if self.spill.path is not None and is_failure:
            with self.spill.path.open("rb") as file:
                body = file.read(SHOWN_OF_FAILURE)
            self.spill.discard()
        return msgspec.structs.replace(response, body=body)
