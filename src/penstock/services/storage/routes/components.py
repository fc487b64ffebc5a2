"""Components and their configurations over HTTP."""

from __future__ import annotations

import msgspec

from penstock.components.catalogue import find_component
from penstock.foundation.callers import Right
from penstock.foundation.stacks import STORAGE
from penstock.services.storage.errors import ComponentNotFound
from penstock.services.storage.models import Wire
from penstock.services.storage.models.configurations import (
    ComponentView,
    Configuration,
    NewConfiguration,
    show_component,
    show_configuration,
)
from penstock.services.storage.operations import configurations
from penstock.web.requests import Request
from penstock.web.routing import Route, get, post

EVERYTHING = frozenset(("configuration", "rows", "state"))


class ComponentsQuery(Wire, frozen=True):
    """`include` is a comma list of configuration, rows, state."""

    component_type: str = ""
    include: str = ""


def routes() -> list[Route]:
    one = "/v2/storage/components/{component_id}"
    configs = f"{one}/configs"
    every = {"query": ComponentsQuery, "returns": list[ComponentView]}
    new = {"body": NewConfiguration, "returns": Configuration, "status": 201}
    return [
        get("/v2/storage/components", list_components, needs=Right.TOKEN, **every),
        get(one, get_component, returns=ComponentView, needs=Right.PUBLIC),
        get(configs, list_configurations, returns=list[Configuration], needs=Right.TOKEN),
        post(configs, create_configuration, needs=Right.TOKEN, **new),
        get(f"{configs}/{{config_id}}", get_configuration, returns=Configuration, needs=Right.TOKEN),
    ]


def list_components(request: Request) -> list[ComponentView]:
    """Components that have configurations, with them."""
    include = frozenset(request.query.include.split(","))
    with request.reading() as tx:
        found = configurations.list_all_configurations(tx, request.caller)
    views: list[ComponentView] = []
    for component_id, rows in found.items():
        component = find_component(component_id)
        if component and request.query.component_type in ("", component.type):
            view = show_component(component, request.addresses.url_of(STORAGE))
            shown = [show_configuration(row, include) for row in rows]
            views.append(msgspec.structs.replace(view, configurations=shown))
    return views


def get_component(request: Request) -> ComponentView:
    component = find_component(request.path["component_id"])
    if not component:
        raise ComponentNotFound(request.path["component_id"])
    return show_component(component, request.addresses.url_of(STORAGE))


def list_configurations(request: Request) -> list[Configuration]:
    with request.reading() as tx:
        rows = configurations.list_configurations(tx, request.caller, request.path["component_id"])
    return [show_configuration(row, EVERYTHING) for row in rows]


def create_configuration(request: Request) -> Configuration:
    """Store a configuration; values under `#` keys are encrypted before they are written."""
    with request.writing() as tx:
        row = configurations.create_configuration(
            tx, request.caller, request.stack.cipher, request.path["component_id"], request.body
        )
    return show_configuration(row, EVERYTHING)


def get_configuration(request: Request) -> Configuration:
    with request.reading() as tx:
        row = configurations.get_configuration(
            tx, request.caller, request.path["component_id"], request.path["config_id"]
        )
    return show_configuration(row, EVERYTHING)
