"""Triggers over HTTP. They do not depend on a branch."""

from __future__ import annotations

from penstock.foundation.callers import Right
from penstock.services.storage.models.triggers import NewTrigger, Trigger, TriggerChange, TriggerQuery, trigger_view
from penstock.services.storage.operations import triggers
from penstock.web.requests import Request
from penstock.web.routing import Route, delete, get, post, put


def routes() -> list[Route]:
    every, one = "/v2/storage/triggers", "/v2/storage/triggers/{trigger_id}"
    return [
        get(every, list_triggers, needs=Right.TOKEN),
        post(every, create_trigger, needs=Right.TOKEN, status=201),
        get(one, get_trigger, needs=Right.TOKEN),
        put(one, update_trigger, needs=Right.TOKEN),
        delete(one, remove_trigger, needs=Right.TOKEN, status=204),
    ]


def list_triggers(request: Request, query: TriggerQuery) -> list[Trigger]:
    with request.reading() as tx:
        return [trigger_view(row) for row in triggers.list_triggers(tx, request.caller, query)]


def create_trigger(request: Request, body: NewTrigger) -> Trigger:
    with request.writing() as tx:
        return trigger_view(triggers.create_trigger(tx, request.caller, body))


def get_trigger(request: Request, trigger_id: str) -> Trigger:
    with request.reading() as tx:
        return trigger_view(triggers.get_trigger(tx, request.caller, trigger_id))


def update_trigger(request: Request, trigger_id: str, body: TriggerChange) -> Trigger:
    """Update the given fields."""
    with request.writing() as tx:
        return trigger_view(triggers.update_trigger(tx, request.caller, trigger_id, body))


def remove_trigger(request: Request, trigger_id: str) -> None:
    with request.writing() as tx:
        triggers.remove_trigger(tx, request.caller, trigger_id)
