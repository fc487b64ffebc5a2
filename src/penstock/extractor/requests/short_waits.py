"""How requests are sent while a user waits for the result: actions, and the discovery of an API."""

from __future__ import annotations

import msgspec

from penstock.extractor.requests.client import Sending

MAX_RETRIES, MAX_WAIT = 2, 5.0
"""Lower than in a run."""


def with_short_waits(sending: Sending) -> Sending:
    """Without the cache, because the current response is wanted, and with few retries."""
    most, longest = sending.retry.most, sending.retry.longest_wait
    retry = msgspec.structs.replace(
        sending.retry,
        most=MAX_RETRIES if most is None else min(most, MAX_RETRIES),
        longest_wait=MAX_WAIT if longest is None else min(longest, MAX_WAIT),
    )
    return msgspec.structs.replace(sending, retry=retry, cache=None)
