"""Triggers over HTTP. They belong to no branch."""

from __future__ import annotations

from penstock.foundation.callers import Right
from penstock.services.storage.models.triggers import NewTrigger, Trigger, TriggerChange, TriggerQuery, trigger_view
from penstock.services.storage.operations import triggers
from penstock.web.requests import Request
from penstock.web.routing import Route, delete, get, post, put


def routes() -> list[Route]:
    every, one = "/v2/storage/triggers", "/v2/storage/triggers/{trigger_id}"
    return [
        get(every, list_triggers, query=TriggerQuery, returns=list[Trigger], needs=Right.TOKEN),
        post(every, create_trigger, body=NewTrigger, returns=Trigger, status=201, needs=Right.TOKEN),
        get(one, get_trigger, returns=Trigger, needs=Right.TOKEN),
        put(one, update_trigger, body=TriggerChange, returns=Trigger, needs=Right.TOKEN),
        delete(one, remove_trigger, status=204, needs=Right.TOKEN),
    ]


def list_triggers(request: Request) -> list[Trigger]:
    with request.reading() as tx:
        return [trigger_view(row) for row in triggers.list_triggers(tx, request.caller, request.query)]


def create_trigger(request: Request) -> Trigger:
    with request.writing() as tx:
        return trigger_view(triggers.create_trigger(tx, request.caller, request.body))


def get_trigger(request: Request) -> Trigger:
    with request.reading() as tx:
        return trigger_view(triggers.get_trigger(tx, request.caller, request.path["trigger_id"]))


def update_trigger(request: Request) -> Trigger:
    """What is given changes; the rest stays."""
    with request.writing() as tx:
        return trigger_view(triggers.update_trigger(tx, request.caller, request.path["trigger_id"], request.body))


def remove_trigger(request: Request) -> None:
    with request.writing() as tx:
        triggers.remove_trigger(tx, request.caller, request.path["trigger_id"])
