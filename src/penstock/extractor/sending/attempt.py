"""What it takes to get one response, and where its body goes."""

from __future__ import annotations

import msgspec

from penstock.extractor.http import FAILED
from penstock.extractor.large.spill import Spill
from penstock.foundation.outbound import Response

SHOWN_OF_FAILURE = 1 << 16


class FetchAttempt(msgspec.Struct):
    spill: Spill | None = None
    """Takes the body if it is large."""
    ignored: frozenset[int] = frozenset()
    """Statuses that are no failures."""
    requests: int = 0
    retries: int = 0

    @property
    def is_large(self) -> bool:
        return self.spill is not None and self.spill.path is not None

    def begin(self) -> None:
        """What an earlier try has left is of no use."""
        self.requests += 1
        if self.spill is not None:
            self.spill.discard()

    def receive(self, response: Response) -> Response:
        """With its body, unless that is too large; of a failure, the beginning is enough."""
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
