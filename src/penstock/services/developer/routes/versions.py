"""Versions of an app: the list, the upload of an archive as a new one, rollback and removal."""

from __future__ import annotations

from starlette.requests import Request as HttpRequest

from penstock.foundation.blobs import Incoming
from penstock.foundation.callers import Right
from penstock.services.developer.models.apps import Versioned
from penstock.services.developer.models.vendors import PageQuery
from penstock.services.developer.models.views import App, AppVersion, version_view
from penstock.services.developer.operations import apps
from penstock.services.developer.operations.publishing import archives_in, drop_archives, publish_archive
from penstock.services.developer.routes.apps import ONE, view
from penstock.services.developer.routes.callers import SIGNED_IN, get_account
from penstock.services.developer.store import apps as store
from penstock.services.developer.store.archives import list_archives
from penstock.web.requests import Request
from penstock.web.routing import Route, delete, get, post
from penstock.web.streaming import on_disk, receive_body

ALL = f"{ONE}/versions"
VERSION = f"{ALL}/{{version}}"
ZIP = ("application/zip", "application/octet-stream")


def routes() -> list[Route]:
    return [
        get(
            ALL,
            list_versions,
            needs=Right.TOKEN,
            auth=SIGNED_IN,
            refuses_query_with=422,
            title="List versions of an app",
        ),
        post(
            ALL,
            upload_archive,
            needs=Right.TOKEN,
            auth=SIGNED_IN,
            status=201,
            takes=ZIP,
            title="Upload a new version of an app",
        ),
        get(VERSION, get_version, needs=Right.TOKEN, auth=SIGNED_IN, title="Get a version of an app"),
        delete(
            VERSION, delete_version, needs=Right.TOKEN, auth=SIGNED_IN, status=204, title="Delete a version of an app"
        ),
        post(
            f"{VERSION}/rollback",
            roll_back,
            needs=Right.TOKEN,
            auth=SIGNED_IN,
            status=201,
            title="Roll back an app to a version",
        ),
    ]


def list_versions(request: Request, vendor: str, app: str, query: PageQuery) -> list[AppVersion]:
    """The newest first."""
    with request.reading() as tx:
        current = apps.get_app(tx, get_account(tx, request), vendor, app).app
        found = store.list_versions(tx, current.id, query)
        archives = list_archives(tx, [each.archive_id for each in found if each.archive_id is not None])
    return [version_view(each, archives.get(each.archive_id or 0), current.version) for each in found]


async def upload_archive(request: Request, vendor: str, app: str, http: HttpRequest) -> App:
    """Upload the program as a ZIP file with component.json in it: a new version, which jobs use once it is approved."""
    found = await on_disk(_get_app, request, vendor, app)
    folder = archives_in(request.stack.folder)
    incoming = await on_disk(folder.receive)
    try:
        await receive_body(http, incoming, request.stack.settings.component_archive_megabytes * 1_000_000)
        return await on_disk(_publish, request, found, incoming)
    finally:
        await on_disk(incoming.discard)


def get_version(request: Request, vendor: str, app: str, version: str) -> App:
    """The app as it was in this version."""
    with request.reading() as tx:
        current = apps.get_app(tx, get_account(tx, request), vendor, app).app
        return view(tx, apps.get_version(tx, current, version))


def delete_version(request: Request, vendor: str, app: str, version: str) -> None:
    """Remove a version that is not the current one, with its archive if no other version has it."""
    with request.writing() as tx:
        unused = apps.remove_version(tx, get_account(tx, request), vendor, app, version)
    drop_archives(archives_in(request.stack.folder), unused)


def roll_back(request: Request, vendor: str, app: str, version: str) -> App:
    """A new version that is as this one was, and approved if this one is."""
    with request.writing() as tx:
        return view(tx, apps.roll_back(tx, get_account(tx, request), vendor, app, version))


def _get_app(request: Request, vendor: str, app: str) -> Versioned:
    """Return the app before the body is read: it may be large."""
    with request.reading() as tx:
        return apps.get_app(tx, get_account(tx, request), vendor, app)


def _publish(request: Request, versioned: Versioned, incoming: Incoming) -> App:
    stack = request.stack
    with request.reading() as tx:
        account = get_account(tx, request)
    made = publish_archive(stack.database, archives_in(stack.folder), account, versioned.app.id, incoming)
    with request.reading() as tx:
        return view(tx, made)
