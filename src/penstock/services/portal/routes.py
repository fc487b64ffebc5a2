"""Portal over HTTP. Nothing here needs a token."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from penstock.foundation.callers import Right
from penstock.foundation.errors import NotFound
from penstock.foundation.stacks import PORTAL
from penstock.services.portal.models import ApiEntry, Apis
from penstock.services.portal.page import make_page
from penstock.web.listing import Listing
from penstock.web.pages import list_pages
from penstock.web.requests import Request, Text
from penstock.web.routing import Route, get

ALIASES = {"job-queue": "queue", "manage": "management", "connection": "storage"}


class SpecificationNotFound(NotFound):
    def __init__(self, name: str) -> None:
        super().__init__(f'There is no specification "{name}"; apis.json lists those there are.')


class PageNotFound(NotFound):
    def __init__(self, name: str) -> None:
        super().__init__(f'The documentation has no page "{name}". Begin with docs/architecture.md.')


def routes() -> list[Route]:
    return [
        get("/apis.json", list_apis, needs=Right.PUBLIC),
        get("/specs/{file}", get_specification, needs=Right.PUBLIC),
        get("/docs/{page:path}", get_page, needs=Right.PUBLIC, media_type="text/plain"),
        get("/", page_view, needs=Right.PUBLIC, media_type="text/html"),
        get("/portal.js", get_script, needs=Right.PUBLIC, media_type="text/javascript"),
    ]


def list_apis(request: Request) -> Apis:
    """The services of this stack, with the address and the specification of each."""
    return Apis(request.stack.domain, [_entry(request, service) for service in _documented(request)])


def get_specification(request: Request, file: str) -> dict[str, Any]:
    """The OpenAPI document of a service, made from its route table."""
    name = file.removesuffix(".json")
    wanted = ALIASES.get(name, name)
    service = next((service for service in _documented(request) if service.id == wanted), None)
    if not service:
        raise SpecificationNotFound(file)
    # Its own server, whatever the form of the request: clients use apiUrl of the index.
    return service.specify(f"https://{request.addresses.host_of(service.id)}")


def get_page(_request: Request, page: str) -> Text:
    """A page of the documentation, as Markdown."""
    if (text := list_pages().get(page)) is None:
        raise PageNotFound(page)
    return Text(text, "text/plain; charset=utf-8")


def page_view(request: Request) -> Text:
    """The same list as an HTML page, where a token can be tried."""
    return Text(make_page(list_apis(request), request.addresses.url_of(PORTAL)), "text/html; charset=utf-8")


def get_script(_request: Request) -> Text:
    return Text(files("penstock.services.portal").joinpath("portal.js").read_bytes(), "text/javascript; charset=utf-8")


def _documented(request: Request) -> list[Listing]:
    return [service for service in request.services if service.is_documented]


def _entry(request: Request, service: Listing) -> ApiEntry:
    return ApiEntry(
        id=service.id,
        name=service.name,
        api_url=request.addresses.url_of(service.id),
        open_api_spec_url=f"{request.addresses.url_of(PORTAL)}/specs/{service.id}.json",
    )
