"""Events over HTTP."""

from __future__ import annotations

from penstock.foundation.callers import Right
from penstock.foundation.stacks import STORAGE
from penstock.services.storage.models.events import Event, EventQuery, show_event
from penstock.services.storage.operations import events
from penstock.web.requests import Request
from penstock.web.routing import Route, get


def routes() -> list[Route]:
    return [
        get("/v2/storage/events", list_events, query=EventQuery, returns=list[Event], needs=Right.TOKEN),
        get("/v2/storage/events/{event_id}", get_event, returns=Event, needs=Right.TOKEN),
    ]


def list_events(request: Request) -> list[Event]:
    """What happened, newest first; `runId` is the id of a job, whose log this is."""
    with request.reading() as tx:
        rows = events.list_events(tx, request.caller, request.query)
    return [show_event(row, request.addresses.url_of(STORAGE)) for row in rows]


def get_event(request: Request) -> Event:
    """One event, by its id or uuid."""
    with request.reading() as tx:
        row = events.get_event(tx, request.caller, request.path["event_id"])
    return show_event(row, request.addresses.url_of(STORAGE))
