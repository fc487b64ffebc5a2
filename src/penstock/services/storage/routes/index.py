"""The index: the services and components of this stack. No token is required."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import UNSET, UnsetType

from penstock.foundation.callers import Right
from penstock.foundation.stacks import STORAGE
from penstock.foundation.structs import Wire
from penstock.services.developer import interface as developer
from penstock.services.storage.models.components import ComponentSummary, component_view, summarize_component
from penstock.web.requests import Request
from penstock.web.routing import Document, Route, get


class IndexQuery(Wire, frozen=True):
    """`exclude` is `components`, or `componentDetails` for components without schemas and documentation."""

    exclude: str = ""
    """`components` leaves the components out, `componentDetails` their schemas and documentation."""


class ServiceEntry(msgspec.Struct, frozen=True):
    id: str
    url: str


class Index(Wire, frozen=True):
    host: str
    stack: str
    services: list[ServiceEntry]
    api: str = "storage"
    version: str = "v2"
    features: tuple[str, ...] = ("disable-sync-import-data",)
    components: Sequence[ComponentSummary] | UnsetType = UNSET
    """In full like `GET components/{id}`, unless details are excluded."""


def routes() -> list[Route]:
    return [
        get(
            "/v2/storage",
            index_view,
            needs=Right.PUBLIC,
            document=Document.DATABASE,
            title="Get the index of the stack",
        ),
        get("/", root_view, needs=Right.PUBLIC, document=Document.DATABASE, title="Get the index of the stack"),
    ]


def index_view(request: Request, query: IndexQuery) -> Index:
    """The services of this stack, with addresses by host or by path, like the request's."""
    with_components = query.exclude != "components"
    return Index(
        host=request.addresses.host_of(STORAGE),
        stack=request.stack.domain,
        services=[ServiceEntry(s.id, request.addresses.url_of(s.id)) for s in request.services if s.is_listed],
        components=_components_view(request, query) if with_components else UNSET,
    )


def _components_view(request: Request, query: IndexQuery) -> Sequence[ComponentSummary]:
    with request.reading() as tx:
        found = developer.list_components(tx)
    if query.exclude == "componentDetails":
        return [summarize_component(component) for component in found]
    url = request.addresses.url_of(STORAGE)
    return [component_view(component, url) for component in found]


def root_view(request: Request, query: IndexQuery) -> Index:
    """The index, for users who open the bare host."""
    return index_view(request, query)
