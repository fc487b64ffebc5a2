"""Apps."""

from __future__ import annotations

from penstock.foundation.callers import Right
from penstock.foundation.database import Transaction
from penstock.services.developer.errors import NoRegistry
from penstock.services.developer.models.apps import AppChange, Deprecation, NewApp, Versioned
from penstock.services.developer.models.vendors import PageQuery
from penstock.services.developer.models.views import App, app_view
from penstock.services.developer.operations import approval, apps
from penstock.services.developer.operations.publishing import archives_in, drop_archives
from penstock.services.developer.routes.callers import SIGNED_IN, get_account
from penstock.services.developer.store import apps as store
from penstock.web.requests import Request
from penstock.web.routing import Route, delete, get, patch, post

OF_VENDOR = "/vendors/{vendor}/apps"
ONE = f"{OF_VENDOR}/{{app}}"


def routes() -> list[Route]:
    return [
        get("/apps", list_public_apps, needs=Right.PUBLIC, refuses_query_with=422),
        get("/apps/{app}", get_public_app, needs=Right.PUBLIC),
        get(OF_VENDOR, list_apps, needs=Right.TOKEN, auth=SIGNED_IN, refuses_query_with=422),
        post(OF_VENDOR, create_app, needs=Right.TOKEN, auth=SIGNED_IN, status=201, refuses_body_with=422),
        get(ONE, get_app, needs=Right.TOKEN, auth=SIGNED_IN),
        patch(ONE, change_app, needs=Right.TOKEN, auth=SIGNED_IN, refuses_body_with=422),
        delete(ONE, delete_app, needs=Right.TOKEN, auth=SIGNED_IN),
        get(f"{ONE}/repository", get_repository, needs=Right.TOKEN, auth=SIGNED_IN),
        post(f"{ONE}/publish", publish, needs=Right.TOKEN, auth=SIGNED_IN),
        post(f"{ONE}/deprecate", deprecate, needs=Right.TOKEN, auth=SIGNED_IN, refuses_body_with=422),
    ]


def list_public_apps(request: Request, query: PageQuery) -> list[App]:
    """Published apps, by id."""
    with request.reading() as tx:
        return views(tx, apps.in_current_versions(tx, store.list_apps(tx, query)), is_public=True)


def get_public_app(request: Request, app: str) -> App:
    with request.reading() as tx:
        return views(tx, [apps.get_public_app(tx, app)], is_public=True)[0]


def list_apps(request: Request, vendor: str, query: PageQuery) -> list[App]:
    """All apps of a vendor."""
    with request.reading() as tx:
        return views(tx, apps.list_apps(tx, get_account(tx, request), vendor, query))


def create_app(request: Request, vendor: str, body: NewApp) -> App:
    """Create an app; its id is that of the vendor, a dot, and the given one."""
    with request.writing() as tx:
        return view(tx, apps.create_app(tx, get_account(tx, request), vendor, body))


def get_app(request: Request, vendor: str, app: str) -> App:
    with request.reading() as tx:
        return view(tx, apps.get_app(tx, get_account(tx, request), vendor, app))


def change_app(request: Request, vendor: str, app: str, body: AppChange) -> App:
    """Change what is given, as a new version, which the next job uses."""
    with request.writing() as tx:
        return view(tx, apps.change_app(tx, get_account(tx, request), vendor, app, body))


def delete_app(request: Request, vendor: str, app: str) -> App:
    """Remove an app with all versions and archives. Configurations stay."""
    with request.writing() as tx:
        found, unused = apps.remove_app(tx, get_account(tx, request), vendor, app)
        removed = view(tx, found)
    request.commit()
    drop_archives(archives_in(request.stack.folder), unused)
    return removed


def get_repository(request: Request, vendor: str, app: str) -> App:
    """Refused: this stack has no registry of images. The response says what to do instead."""
    with request.reading() as tx:
        apps.get_app(tx, get_account(tx, request), vendor, app)
    raise NoRegistry


def publish(request: Request, vendor: str, app: str) -> App:
    """Ask for approval; an administrator approves at once. Projects can use approved apps only."""
    with request.writing() as tx:
        return view(tx, approval.request_publishing(tx, get_account(tx, request), vendor, app))


def deprecate(request: Request, vendor: str, app: str, body: Deprecation) -> App:
    """Mark an app as replaced. It still runs."""
    with request.writing() as tx:
        return view(tx, approval.deprecate(tx, get_account(tx, request), vendor, app, body))


def view(tx: Transaction, found: Versioned) -> App:
    return views(tx, [found])[0]


def views(tx: Transaction, found: list[Versioned], *, is_public: bool = False) -> list[App]:
    known = {each: apps.get_vendor(tx, each) for each in {one.app.vendor_id for one in found}}
    return [app_view(each, known[each.app.vendor_id], is_public=is_public) for each in found]
