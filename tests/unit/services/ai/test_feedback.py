"""Feedback is stored."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from penstock.foundation import clock
from penstock.services.ai import service, store
from penstock.services.ai.operations import feedback
from tests.support.stacks import ServicesOnly


def stored(services: ServicesOnly) -> list[store.FeedbackRow]:
    with services.stack.database.reading() as tx:
        return store.list_feedback(tx, services.project.id)


def test_feedback_is_stored_with_its_subject_and_goes_after_half_a_year(
    services: ServicesOnly, monkeypatch: pytest.MonkeyPatch
) -> None:
    subjects: list[dict[str, Any]] = [
        {"type": "failed-job", "jobId": "5"},
        {"type": "configuration", "branchId": 1, "componentId": "c", "configId": "2", "rowId": "3"},
        {"type": "component-suggestions", "searchTerm": "an API"},
    ]
    for subject in subjects:
        body = {"value": "good", "correlationId": "c-1", "comment": "Nice.", "subject": subject}
        accepted = services.service("ai").post("/feedback", body)
        assert (accepted.status, accepted.json) == (202, {"status": "ok"})
    assert services.service("ai").post("/feedback", {"value": "cancel"}).status == 202

    rows = stored(services)
    assert [row.subject for row in rows] == [*subjects, {}]
    assert (rows[0].value, rows[0].correlation_id, rows[0].comment) == ("good", "c-1", "Nice.")
    service.maintain(services.stack)
    assert len(stored(services)) == 4
    later = clock.now() + timedelta(days=181)
    monkeypatch.setattr(clock, "now", lambda: later)
    service.maintain(services.stack)
    assert stored(services) == []


def test_only_the_newest_are_kept(services: ServicesOnly, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feedback, "MAX_FEEDBACK", 2)
    for number in range(4):
        assert services.service("ai").post("/feedback", {"value": "bad", "comment": str(number)}).status == 202

    assert [row.comment for row in stored(services)] == ["2", "3"]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"value": "great"},
        {"value": "good", "subject": {"type": "weather"}},
        {"value": "good", "subject": {"type": "failed-job"}},
        {"value": "good", "comment": "x" * 10_001},
    ],
)
def test_feedback_that_cannot_be_read_is_refused(shared: ServicesOnly, body: dict[str, Any]) -> None:
    assert shared.service("ai").post("/feedback", body).status == 422
