"""Events: added by services, by clients, and by Storage for changes of its own objects."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, cast

import msgspec

from penstock.foundation import clock, ids
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.redaction import Redactor
from penstock.foundation.redaction.values import holds_secrets
from penstock.foundation.secrets import NestedTooDeep
from penstock.foundation.stack import Stack
from penstock.services.storage.errors.events import EventNotFound, EventTooLarge, MalformedEvent
from penstock.services.storage.models.events import EventContext, EventQuery, EventRow, NewEvent, SentEvent
from penstock.services.storage.store import events
from penstock.services.storage.store.events import About

MESSAGE_CHARACTERS = 4000
RUN_ID_CHARACTERS = 255
SENT_BYTES = 200_000
KEPT_DAYS = 180
REMOVED_AT_ONCE = 1000


def add_events(tx: Transaction, caller: Caller, happened: Sequence[NewEvent]) -> None:
    """Add events of other services."""
    if not happened:
        return
    rows = [
        _to_row(
            number,
            caller,
            event=f"ext.{event.component}.{event.type}",
            type=event.type,
            message=event.message[:MESSAGE_CHARACTERS],
            component=event.component,
            run_id=event.run_id,
            configuration_id=event.configuration_id,
            params=event.params,
        )
        for number, event in zip(ids.new_ids(tx, len(happened)), happened, strict=True)
    ]
    events.add_events(tx, rows)


def add_sent_event(tx: Transaction, caller: Caller, sent: SentEvent) -> EventRow:
    """Add an event that a client sent."""
    if len(msgspec.json.encode(sent)) > SENT_BYTES:
        raise EventTooLarge(SENT_BYTES)
    row = _to_row(
        ids.new_id(tx),
        caller,
        event=f"ext.{sent.component}.{sent.type}",
        type=sent.type,
        message=sent.message,
        description=sent.description,
        component=sent.component,
        run_id=_text(sent.run_id) or caller.run_id,
        configuration_id=_text(sent.configuration_id),
        params=_to_document(sent.params, "params"),
        results=_to_document(sent.results, "results"),
        duration=sent.duration,
    )
    events.add_events(tx, [row])
    return row


def add_event(
    tx: Transaction,
    caller: Caller,
    event: str,
    message: str,
    *,
    object_id: str | None = None,
    object_type: str | None = None,
    params: dict[str, Any] | None = None,
    results: dict[str, Any] | None = None,
) -> None:
    """Add an event of Storage itself, such as `storage.tableCreated`, in the transaction that makes the change."""
    row = _to_row(
        ids.new_id(tx),
        caller,
        event=event,
        type="info",
        message=message[:MESSAGE_CHARACTERS],
        component="storage",
        run_id=caller.run_id,
        object_id=object_id,
        object_type=object_type,
        params=params or {},
        results=results or {},
    )
    events.add_events(tx, [row])


def list_events(tx: Transaction, caller: Caller, query: EventQuery, runs: Sequence[str] = ()) -> list[EventRow]:
    """List all events of the project for a master token; for any other token, its own.

    Those of `runs` are listed together with those of the run that the query names."""
    about = About(None if caller.is_master else caller.token_id)
    return events.list_events(tx, caller.project_id, about, query, runs)


def list_object_events(
    tx: Transaction, caller: Caller, object_id: str, query: EventQuery, *, with_content: bool = False
) -> list[EventRow]:
    """Events of a bucket and its tables, or of a table, whoever caused them; the caller must be allowed to read it."""
    return events.list_events(tx, caller.project_id, About(None, object_id, with_content, caller.branch_filter), query)


def list_token_events(tx: Transaction, caller: Caller, token_id: int, query: EventQuery) -> list[EventRow]:
    """Events that a token caused."""
    return events.list_events(tx, caller.project_id, About(token_id), query)


def get_event(tx: Transaction, caller: Caller, event_id: str) -> EventRow:
    found = events.find_event(tx, caller.project_id, event_id)
    if not found or not (caller.is_master or found.token_id == caller.token_id):
        raise EventNotFound(event_id)
    return found


def remove_old_events(stack: Stack) -> int:
    """Remove events past their retention in small batches, so that writers do not wait; returns how many."""
    before, removed = clock.now() - timedelta(days=KEPT_DAYS), 0
    while True:
        with stack.database.writing() as tx:
            gone = events.remove_oldest(tx, before, REMOVED_AT_ONCE)
        removed += gone
        if gone < REMOVED_AT_ONCE:
            return removed


def _to_row(number: int, caller: Caller, **fields: Any) -> EventRow:
    return EventRow(
        id=number,
        uuid=ids.new_uuid(),
        project_id=caller.project_id,
        branch_id=caller.branch_id,
        token_id=caller.token_id,
        token_description=caller.description,
        created=clock.now(),
        context=_context(caller),
        **{**fields, **_hide_secrets(fields)},
    )


def _hide_secrets(fields: dict[str, Any]) -> dict[str, Any]:
    """Remove values under `#` keys, and their copies in the texts."""
    documents = {name: fields[name] for name in ("params", "results") if fields.get(name)}
    try:
        if not holds_secrets(documents):
            return {}
        redactor = Redactor.of(documents)
        texts = {name: redactor.clean(fields[name]) for name in ("message", "description") if fields.get(name)}
        return {**redactor.hide(documents), **texts}
    except RecursionError as error:
        raise NestedTooDeep from error


def _context(caller: Caller) -> dict[str, Any]:
    origin = caller.origin
    if not origin:
        return msgspec.to_builtins(EventContext(is_async=True))
    return msgspec.to_builtins(
        EventContext(
            remote_addr=origin.address,
            http_referer=origin.referer,
            http_user_agent=origin.user_agent,
            user_agent=origin.user_agent,
        )
    )


def _to_document(value: Any, field: str) -> Any:
    """An object, or a string that contains one; a list stays a list."""
    try:
        document = msgspec.json.decode(value) if isinstance(value, str) and value else value
    except (msgspec.DecodeError, RecursionError) as error:
        raise MalformedEvent(field) from error
    if not document:
        return {}
    if not isinstance(document, dict | list):
        raise MalformedEvent(field)
    return cast(Any, document)


def _text(value: str | int | None) -> str | None:
    return str(value)[:RUN_ID_CHARACTERS] if value is not None and value != "" else None
