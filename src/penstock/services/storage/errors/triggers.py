"""Errors of triggers."""

from __future__ import annotations

from penstock.foundation.errors import Invalid, NotFound


class TriggerNotFound(NotFound):
    def __init__(self, trigger_id: str) -> None:
        super().__init__(f'Trigger "{trigger_id}" not found')


class InvalidTrigger(Invalid):
    code = "storage.triggers.validation"


class TooManyTriggers(InvalidTrigger):
    def __init__(self, limit: int) -> None:
        super().__init__(f"The project has {limit:,} triggers. Delete some that are not needed any more.")
