"""When a task is tried again."""

from __future__ import annotations

import msgspec
import pytest

from penstock.services.queue.flows.tasks import Retry


@pytest.mark.parametrize(
    ("raw", "attempts", "message", "wants"),
    [
        ({}, 3, "x", True),
        ({}, 4, "x", False),
        ({"strategyParams": {"maxRetries": 0}}, 1, "x", False),
        ({"retryOn": [{"type": "errorMessageContains", "value": "time"}]}, 1, "a timeout", True),
        ({"retryOn": [{"type": "errorMessageContains", "value": "time"}]}, 1, "no", False),
        ({"retryOn": [{"type": "errorMessageExact", "value": "time"}]}, 1, "a time", False),
        (
            {"retryOn": [{"type": "errorMessageExact", "value": "a"}, {"type": "errorMessageExact", "value": "b"}]},
            1,
            "b",
            True,
        ),
    ],
)
def test_a_task_is_tried_again_as_its_retry_says(raw: object, attempts: int, message: str, wants: bool) -> None:
    assert msgspec.convert(raw, Retry).wants(attempts, message) is wants
