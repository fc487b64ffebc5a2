"""Requests that wait for the concurrency limiter."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from penstock.foundation import clock
from tests.support.api import Api, Response
from tests.support.extraction import parameters, run_extraction


def test_a_request_is_signed_when_it_has_a_lane_and_not_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """What is signed gets old: a token, or a signature with the time in it."""
    with Api() as api:
        monkeypatch.setattr(clock, "source", lambda: datetime.fromtimestamp(10 * len(api.seen), UTC))
        api.on("/users", Response.json([{"id": number} for number in range(6)]))
        api.on_everything(lambda seen: Response.json([{"signed": seen.params["now"]}]))
        child = {"endpoint": "orders/{id}", "placeholders": {"id": "id"}}
        document = parameters(api.url, {"endpoint": "users", "children": [child]})
        query = {"now": {"function": "time"}}
        document["api"] |= {"parallelism": 2, "authentication": {"type": "query", "query": query}}
        run_extraction(document, tmp_path)

        signed = [int(seen.params["now"]) for seen in sorted(api.seen[1:], key=lambda seen: seen.path)]

    assert signed[3] >= 30  # two of the slots had been used and freed before
