"""Console over HTTP: one page for every address below `/admin`, and the files that it loads. Nothing here needs a
token: the page asks for one, and sends it to the APIs."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.requests import Request as HttpRequest
from starlette.responses import RedirectResponse, Response

from penstock.foundation.callers import Right
from penstock.services.console import pages
from penstock.web.bundle import page_headers, serve_asset
from penstock.web.requests import Request
from penstock.web.routing import Route, get
from penstock.web.streaming import on_disk

ASSETS = "assets/"


def routes() -> list[Route]:
    return [
        get("/", lead_to_page, needs=Right.PUBLIC),
        get("/admin", show_page, needs=Right.PUBLIC, media_type="text/html"),
        get("/admin/{path:path}", show_file_or_page, needs=Right.PUBLIC, media_type="text/html"),
    ]


async def lead_to_page(request: Request, http: HttpRequest) -> Response:
    """Browsers that open the bare address of a stack, or its connection host, are sent to the page."""
    return RedirectResponse(_base(request, http), 302)


async def show_page(request: Request, http: HttpRequest) -> Response:
    return await _page(request, http)


async def show_file_or_page(request: Request, path: str, http: HttpRequest) -> Response:
    """The page itself shows what belongs to an address, such as `/admin/projects/1/queue/12`."""
    if not path.startswith(ASSETS):
        return await _page(request, http)
    return await serve_asset(path, http)


async def _page(request: Request, http: HttpRequest) -> Response:
    content = await on_disk(pages.make_page, _base(request, http))
    urls = [request.addresses.url_of(service.id) for service in request.services if service.is_listed]
    return Response(content, headers=page_headers(urls))


def _base(request: Request, http: HttpRequest) -> str:
    """The path of the page: `/admin/` by host name, `/_svc/connection/admin/` by path."""
    if request.addresses.bare is None:
        return "/admin/"
    root = http.scope.get("root_path") or "/_svc/connection"
    return f"{urlsplit(request.addresses.bare).path.rstrip('/')}{root}/admin/"
