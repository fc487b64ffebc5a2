"""Rows of manifests and tags."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import quote

import msgspec
from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from penstock.foundation.callers import Right
from penstock.services.developer.registry import store
from penstock.services.developer.registry.access import Repository, open_repository
from penstock.services.developer.registry.credentials import WITH_IMAGE_CREDENTIALS
from penstock.services.developer.registry.manifests import get_manifest, put_manifest, remove_manifest
from penstock.services.developer.registry.models import MAX_MANIFEST_BYTES, ManifestRow
from penstock.services.developer.registry.routes.rows import REPOSITORY, locate
from penstock.web.bodies import read_body
from penstock.web.requests import Request
from penstock.web.routing import Options, Route, delete, get, put
from penstock.web.streaming import on_disk

ONE = f"{REPOSITORY}/manifests/{{reference}}"
TAGS = f"{REPOSITORY}/tags/list"
MAX_TAGS = 1_000
"""Of one response."""


class Page(msgspec.Struct, frozen=True, kw_only=True):
    n: Annotated[int, msgspec.Meta(ge=0)] = MAX_TAGS
    last: Annotated[str, msgspec.Meta(max_length=200)] = ""
    """The tag after which the list begins."""


def routes() -> list[Route]:
    common: Options = {"auth": WITH_IMAGE_CREDENTIALS, "is_documented": False}
    return [
        get(ONE, read_manifest, needs=Right.TOKEN, **common),
        put(ONE, write_manifest, needs=Right.TOKEN, **common),
        delete(ONE, delete_manifest, needs=Right.TOKEN, **common),
        get(TAGS, list_tags, needs=Right.TOKEN, **common),
    ]


async def read_manifest(request: Request, vendor: str, app: str, reference: str, http: HttpRequest) -> Response:  # noqa: ARG001
    """Return a manifest by a tag, or by its digest."""
    row = await on_disk(_read, request, vendor, app, reference)
    headers = {"content-type": row.media_type, "docker-content-digest": row.digest, "etag": f'"{row.digest}"'}
    return Response(row.content, headers=headers)


async def write_manifest(request: Request, vendor: str, app: str, reference: str, http: HttpRequest) -> Response:
    """Everything that it names must have been pushed before."""
    content = await read_body(http, MAX_MANIFEST_BYTES)
    media_type = request.content_type.partition(";")[0].strip()
    repository, digest = await on_disk(_write, request, (vendor, app, reference), media_type, content)
    headers = {"location": locate(http, repository, "manifests", digest), "docker-content-digest": digest}
    return Response(status_code=201, headers=headers)


def delete_manifest(request: Request, vendor: str, app: str, reference: str) -> Response:
    """A tag, or an image with all of its tags; not one that the current version of the app has."""
    with request.writing() as tx:
        remove_manifest(tx, open_repository(tx, request, vendor, app, writes=True), reference)
    return Response(status_code=202)


async def list_tags(request: Request, vendor: str, app: str, query: Page, http: HttpRequest) -> Response:
    """List tags in the order of their characters."""
    repository, tags = await on_disk(_list, request, vendor, app)
    rest = [tag for tag in tags if tag > query.last]
    page = rest[: min(query.n, MAX_TAGS)]
    headers = {"content-type": "application/json"}
    if page and len(page) < len(rest):
        following = f"{locate(http, repository, 'tags', 'list')}?n={query.n}&last={quote(page[-1])}"
        headers["link"] = f'<{following}>; rel="next"'
    return Response(msgspec.json.encode({"name": repository.name, "tags": page}), headers=headers)


def _read(request: Request, vendor: str, app: str, reference: str) -> ManifestRow:
    with request.reading() as tx:
        repository = open_repository(tx, request, vendor, app, writes=False)
        return get_manifest(tx, repository.app.id, reference)


def _write(request: Request, place: tuple[str, str, str], media_type: str, content: bytes) -> tuple[Repository, str]:
    vendor, app, reference = place
    with request.writing() as tx:
        repository = open_repository(tx, request, vendor, app, writes=True)
        return repository, put_manifest(tx, repository, reference, media_type, content)


def _list(request: Request, vendor: str, app: str) -> tuple[Repository, list[str]]:
    with request.reading() as tx:
        repository = open_repository(tx, request, vendor, app, writes=False)
        return repository, store.list_tags(tx, repository.app.id)
