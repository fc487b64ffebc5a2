"""Portal over HTTP. Nothing here needs a token."""

from __future__ import annotations

from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from penstock.foundation.callers import Right
from penstock.foundation.errors import NotFound
from penstock.foundation.stacks import PORTAL
from penstock.services.portal.documentation import HEADERS, render_page
from penstock.services.portal.examples import add_examples
from penstock.services.portal.models import ApiEntry, Apis
from penstock.services.portal.page import Operation, list_operations, make_page
from penstock.web.bundle import page_headers, serve_asset
from penstock.web.listing import Listing
from penstock.web.pages import list_pages
from penstock.web.requests import Request
from penstock.web.routing import Document, Route, get
from penstock.web.small_pages import wants_page
from penstock.web.streaming import on_disk
from penstock.web.unread import PublicResponse

ALIASES = {"job-queue": "queue", "manage": "management", "connection": "storage"}


class SpecificationNotFound(NotFound):
    def __init__(self, name: str) -> None:
        super().__init__(f'There is no specification "{name}"; apis.json lists those there are.')


class PageNotFound(NotFound):
    def __init__(self, name: str) -> None:
        super().__init__(f'The documentation has no page "{name}". Begin with docs/architecture.md.')


def routes() -> list[Route]:
    return [
        get("/apis.json", list_apis, needs=Right.PUBLIC, document=Document.PROGRAM),
        get("/specs/{file}", get_specification, needs=Right.PUBLIC, document=Document.PROGRAM),
        get("/docs/{page:path}", get_page, needs=Right.PUBLIC, media_type="text/plain"),
        get("/", show_page, needs=Right.PUBLIC, media_type="text/html"),
        get("/assets/{path:path}", get_asset, needs=Right.PUBLIC, media_type="text/javascript"),
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
    return add_examples(_specify(request, service), service.id)


async def get_page(_request: Request, page: str, http: HttpRequest) -> Response:
    """A page of the documentation: as HTML for browsers, as Markdown for programs."""
    text = (await on_disk(list_pages)).get(page)
    if text is None:
        raise PageNotFound(page)
    if not wants_page(http):
        return PublicResponse(text, headers={"content-type": "text/plain; charset=utf-8", "vary": "accept"})
    return PublicResponse(await on_disk(render_page, text), headers=HEADERS)


async def show_page(request: Request, http: HttpRequest) -> Response:
    """All operations of all services, to read and to try, as an HTML page."""
    urls = [request.addresses.url_of(service.id) for service in _documented(request)]
    content = await on_disk(_make_page, request, http.scope.get("root_path", ""))
    return PublicResponse(content, headers=page_headers(urls))


async def get_asset(_request: Request, path: str, http: HttpRequest) -> Response:
    """A file that the page loads."""
    return await serve_asset(f"assets/{path}", http)


def _make_page(request: Request, root: str) -> str:
    operations = {service.id: _list_operations(service) for service in _documented(request)}
    bare = request.addresses.bare
    base = f"{urlsplit(bare).path.rstrip('/')}{root or '/_svc/portal'}/" if bare is not None else "/"
    return make_page(list_apis(request), operations, request.addresses.url_of(PORTAL), base)


@lru_cache(maxsize=100)
def _list_operations(service: Listing) -> list[Operation]:
    """List the operations. They do not depend on the request, and making all documents takes 0.4 s."""
    return list_operations(service.specify(""))


def _specify(request: Request, service: Listing) -> dict[str, Any]:
    # Its own server, whatever the form of the request: clients use apiUrl of the index.
    return service.specify(f"https://{request.addresses.host_of(service.id)}")


def _documented(request: Request) -> list[Listing]:
    return [service for service in request.services if service.is_documented]


def _entry(request: Request, service: Listing) -> ApiEntry:
    return ApiEntry(
        id=service.id,
        name=service.name,
        api_url=request.addresses.url_of(service.id),
        open_api_spec_url=f"{request.addresses.url_of(PORTAL)}/specs/{service.id}.json",
    )
