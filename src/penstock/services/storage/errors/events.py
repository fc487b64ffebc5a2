"""Errors of events."""

from __future__ import annotations

from penstock.foundation.errors import Invalid, NotFound


class EventNotFound(NotFound):
    def __init__(self, event_id: str) -> None:
        super().__init__(f"Event {event_id} not found")


class EventTooLarge(Invalid):
    code = "requestTooLarge"

    def __init__(self, limit: int) -> None:
        super().__init__(f"An event has at most {limit // 1000} kB.")


class MalformedEvent(Invalid):
    code = "malformedRequest"

    def __init__(self, field: str) -> None:
        super().__init__(f'"{field}" must be a JSON object, or a text that holds one.')
