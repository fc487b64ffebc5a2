"""Components over HTTP: the list, those with configurations, and the search for configurations."""

from __future__ import annotations

import msgspec
from msgspec import UNSET

from penstock.foundation.callers import Right
from penstock.foundation.stacks import STORAGE
from penstock.services.developer import interface as developer
from penstock.services.storage.errors.configurations import ComponentNotFound, NotImplementedHere
from penstock.services.storage.models.components import (
    ComponentsQuery,
    ComponentView,
    Found,
    SearchQuery,
    component_view,
)
from penstock.services.storage.models.configurations import Configuration, configuration_view
from penstock.services.storage.models.metadata import metadata_view
from penstock.services.storage.operations.configurations import configurations
from penstock.services.storage.operations.configurations.search import search_configurations
from penstock.web.requests import Request
from penstock.web.routing import Document, Route, get

SEARCH = "/v2/storage/search/component-configurations"


def routes() -> list[Route]:
    return [
        get("/v2/storage/components", list_components, needs=Right.TOKEN),
        get("/v2/storage/components/{component_id}", get_component, needs=Right.PUBLIC, document=Document.DATABASE),
    ]


def only_in_branches() -> list[Route]:
    return [get(SEARCH, search, needs=Right.TOKEN, title="Search configurations by metadata")]


def only_without_branch() -> list[Route]:
    """Return routes for clients that leave out the branch: the error explains what to do, and the route is not
    documented."""
    return [
        get(SEARCH, refuse_search, needs=Right.TOKEN, is_documented=False, title="Search configurations by metadata")
    ]


def list_components(request: Request, query: ComponentsQuery) -> list[ComponentView]:
    """Components that have configurations, with these."""
    include, url = query.members, request.addresses.url_of(STORAGE)
    with request.reading() as tx:
        found = configurations.list_configurations(
            tx,
            request.caller,
            is_deleted=query.is_deleted,
            with_documents=not include.isdisjoint(("configuration", "state")),
        )
        known = {component.id: component for component in developer.list_components(tx)}
    shown: dict[str, list[Configuration]] = {}
    for each in found:
        shown.setdefault(each.configuration.component_id, []).append(configuration_view(each, include))
    return [
        msgspec.structs.replace(component_view(component, url), configurations=inside)
        for name, inside in shown.items()
        if (component := known.get(name)) and query.component_type in ("", component.type)
    ]


def get_component(request: Request, component_id: str) -> ComponentView:
    with request.reading() as tx:
        component = developer.find_component(tx, component_id)
    if not component:
        raise ComponentNotFound(component_id)
    return component_view(component, request.addresses.url_of(STORAGE))


def search(request: Request, query: SearchQuery) -> list[Found]:
    """Configurations by component, id and metadata keys; `include=filteredMetadata` returns the matching metadata."""
    with request.reading() as tx:
        hits = search_configurations(tx, request.caller, query)
    with_metadata = "filteredMetadata" in query.include.split(",")
    return [
        Found(
            id_component=row.component_id,
            configuration_id=row.id,
            metadata=[metadata_view(item, with_provider=False) for item in items] if with_metadata else UNSET,
        )
        for row, items in hits
        if items or not with_metadata
    ]


def refuse_search(_request: Request) -> None:
    """Configurations are searched in a branch: `branch/default/search/component-configurations`."""
    raise NotImplementedHere("Not implemented")
