"""Events over HTTP."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from penstock.foundation.callers import Right
from penstock.foundation.stacks import STORAGE
from penstock.services.storage.models.events import (
    Event,
    EventQuery,
    EventRow,
    SentEvent,
    StoredEvent,
    event_view,
)
from penstock.services.storage.operations import buckets, events, tokens
from penstock.services.storage.operations.tables import tables
from penstock.web.requests import Request
from penstock.web.routing import Route, get, post


def routes() -> list[Route]:
    found = {"query": EventQuery, "returns": list[Event]}
    return [
        post("/v2/storage/events", add_event, body=SentEvent, returns=StoredEvent, status=201, needs=Right.TOKEN),
        get("/v2/storage/events", list_events, needs=Right.TOKEN, **found),
        get("/v2/storage/events/{event_id}", get_event, returns=Event, needs=Right.TOKEN),
        get("/v2/storage/buckets/{bucket_id}/events", list_bucket_events, needs=Right.TOKEN, **found),
        get("/v2/storage/tables/{table_id}/events", list_table_events, needs=Right.TOKEN, **found),
        get("/v2/storage/tokens/{token_id}/events", list_token_events, needs=Right.TOKEN, **found),
    ]


def add_event(request: Request) -> StoredEvent:
    """Tell what happened; `runId` is the run that the header names unless the body does."""
    sent, hide = request.body, request.stack.paths.hide
    sent = msgspec.structs.replace(sent, message=hide(sent.message), description=hide(sent.description))
    with request.writing() as tx:
        row = events.add_sent_event(tx, request.caller, sent)
    return StoredEvent(str(row.id), row.uuid)


def list_events(request: Request) -> list[Event]:
    """What happened, newest first; `runId` is the id of a job, whose log this is."""
    with request.reading() as tx:
        return _show(request, events.list_events(tx, request.caller, request.query))


def get_event(request: Request) -> Event:
    """One event, by its id or uuid."""
    with request.reading() as tx:
        return _show(request, [events.get_event(tx, request.caller, request.path["event_id"])])[0]


def list_bucket_events(request: Request) -> list[Event]:
    """What happened to a bucket and its tables, newest first."""
    with request.reading() as tx:
        bucket = buckets.get_bucket(tx, request.caller, request.path["bucket_id"])
        return _show(
            request, events.list_object_events(tx, request.caller, bucket.id, request.query, with_content=True)
        )


def list_table_events(request: Request) -> list[Event]:
    """What happened to a table, newest first."""
    with request.reading() as tx:
        table = tables.get_table(tx, request.caller, request.path["table_id"]).row
        return _show(request, events.list_object_events(tx, request.caller, table.id, request.query))


def list_token_events(request: Request) -> list[Event]:
    """What was done with a token, newest first; any token may ask for its own."""
    with request.reading() as tx:
        token = tokens.get_visible_token(tx, request.caller, request.path["token_id"])
        return _show(request, events.list_token_events(tx, request.caller, token.id, request.query))


def _show(request: Request, rows: Sequence[EventRow]) -> list[Event]:
    return [event_view(row, request.addresses.url_of(STORAGE)) for row in rows]
