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
from penstock.services.storage.models.stats import RunStats, StatsQuery
from penstock.services.storage.operations import buckets, events, stats, tokens
from penstock.services.storage.operations.tables import tables
from penstock.services.storage.ports import Queue
from penstock.web.requests import Request
from penstock.web.routing import Route, get, post
from penstock.web.signatures import Handler


def routes(queue: Queue) -> list[Route]:
    return [
        post("/v2/storage/events", add_event, needs=Right.TOKEN, status=201),
        get("/v2/storage/events", make_list_events(queue), needs=Right.TOKEN, title="List events"),
        get("/v2/storage/stats", get_stats, needs=Right.TOKEN, title="Get statistics of a run"),
        get("/v2/storage/events/{event_id}", get_event, needs=Right.TOKEN),
        get(
            "/v2/storage/buckets/{bucket_id}/events",
            list_bucket_events,
            needs=Right.TOKEN,
            title="List events of a bucket",
        ),
        get(
            "/v2/storage/tables/{table_id}/events", list_table_events, needs=Right.TOKEN, title="List events of a table"
        ),
        get(
            "/v2/storage/tokens/{token_id}/events", list_token_events, needs=Right.TOKEN, title="List events of a token"
        ),
    ]


def add_event(request: Request, body: SentEvent) -> StoredEvent:
    """Add an event; `runId` is taken from the body, or else from the header."""
    hide = request.stack.paths.hide
    sent = msgspec.structs.replace(body, message=hide(body.message), description=hide(body.description))
    with request.writing() as tx:
        row = events.add_sent_event(tx, request.caller, sent)
    return StoredEvent(str(row.id), row.uuid)


def get_stats(request: Request, query: StatsQuery) -> RunStats:
    """How many tables a run and its children imported and exported, and how many files they made."""
    with request.reading() as tx:
        return stats.find_stats(tx, request.caller, query.run_id)


def make_list_events(queue: Queue) -> Handler:
    def list_events(request: Request, query: EventQuery) -> list[Event]:
        """List events, newest first. With `runId`, the id or the run id of a job: its log, with those of the jobs that
        it is made of."""
        with request.reading() as tx:
            runs = queue.list_runs(tx, request.caller.project_id, query.run_id) if query.run_id else []
            return _views(request, events.list_events(tx, request.caller, query, runs))

    return list_events


def get_event(request: Request, event_id: str) -> Event:
    """One event, by its id or uuid."""
    with request.reading() as tx:
        return _views(request, [events.get_event(tx, request.caller, event_id)])[0]


def list_bucket_events(request: Request, bucket_id: str, query: EventQuery) -> list[Event]:
    """Events of a bucket and its tables, newest first."""
    with request.reading() as tx:
        bucket = buckets.get_bucket(tx, request.caller, bucket_id)
        return _views(request, events.list_object_events(tx, request.caller, bucket.id, query, with_content=True))


def list_table_events(request: Request, table_id: str, query: EventQuery) -> list[Event]:
    """Events of a table, newest first."""
    with request.reading() as tx:
        table = tables.get_table(tx, request.caller, table_id).row
        return _views(request, events.list_object_events(tx, request.caller, table.id, query))


def list_token_events(request: Request, token_id: str, query: EventQuery) -> list[Event]:
    """Events that a token caused, newest first; any token may list its own."""
    with request.reading() as tx:
        token = tokens.get_visible_token(tx, request.caller, token_id)
        return _views(request, events.list_token_events(tx, request.caller, token.id, query))


def _views(request: Request, rows: Sequence[EventRow]) -> list[Event]:
    address = request.addresses.url_of(STORAGE)
    return [event_view(row, address) for row in rows]
