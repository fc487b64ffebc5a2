"""Events: what happened, in order."""

from __future__ import annotations

from collections.abc import Sequence

from penstock.foundation import clock, ids
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.services.storage.errors import EventNotFound
from penstock.services.storage.models.events import EventQuery, EventRow, NewEvent
from penstock.services.storage.store import events

MESSAGE_CHARACTERS = 4000


def add_events(tx: Transaction, caller: Caller, happened: Sequence[NewEvent]) -> None:
    if happened:
        events.add_events(tx, [_to_row(tx, caller, event) for event in happened])


def list_events(tx: Transaction, caller: Caller, query: EventQuery) -> list[EventRow]:
    """All of the project's for a master token; for any other, its own."""
    return events.list_events(tx, caller.project_id, None if caller.is_master else caller.token_id, query)


def get_event(tx: Transaction, caller: Caller, event_id: str) -> EventRow:
    found = events.find_event(tx, caller.project_id, event_id)
    if not found or not (caller.is_master or found.token_id == caller.token_id):
        raise EventNotFound(event_id)
    return found


def _to_row(tx: Transaction, caller: Caller, event: NewEvent) -> EventRow:
    return EventRow(
        id=ids.new_id(tx),
        uuid=ids.new_uuid(),
        project_id=caller.project_id,
        branch_id=caller.branch_id,
        event=f"ext.{event.component}.{event.type}",
        type=event.type,
        message=event.message[:MESSAGE_CHARACTERS],
        component=event.component,
        token_id=caller.token_id,
        token_description=caller.description,
        created=clock.now(),
        run_id=event.run_id,
        configuration_id=event.configuration_id,
    )
