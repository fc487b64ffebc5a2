"""What administrators of the stack do: approve apps, or reject them."""

from __future__ import annotations

from penstock.foundation.callers import Right
from penstock.foundation.database import Transaction
from penstock.services.developer.errors import AppNotFound
from penstock.services.developer.models.apps import Rejection, Versioned
from penstock.services.developer.models.vendors import PageQuery
from penstock.services.developer.models.views import App
from penstock.services.developer.operations import approval, apps
from penstock.services.developer.routes.apps import view, views
from penstock.services.developer.routes.callers import SIGNED_IN, get_account
from penstock.services.developer.store import apps as store
from penstock.web.requests import Request
from penstock.web.routing import Route, get, post

ONE = "/admin/apps/{app}"


def routes() -> list[Route]:
    return [
        get("/admin/changes", list_requests, needs=Right.MANAGE_APPS, auth=SIGNED_IN, refuses_query_with=422),
        get(ONE, get_any_app, needs=Right.MANAGE_APPS, auth=SIGNED_IN),
        post(f"{ONE}/publish", approve, needs=Right.MANAGE_APPS, auth=SIGNED_IN),
        post(f"{ONE}/reject", reject, needs=Right.MANAGE_APPS, auth=SIGNED_IN, refuses_body_with=422),
    ]


def list_requests(request: Request, query: PageQuery) -> list[App]:
    """Apps that wait for approval, the oldest request first."""
    with request.reading() as tx:
        return views(tx, apps.in_current_versions(tx, store.list_requested(tx, query)))


def get_any_app(request: Request, app: str) -> App:
    with request.reading() as tx:
        return view(tx, _find(tx, app))


def approve(request: Request, app: str) -> App:
    """From now on every project can use it, in this version and in later ones."""
    with request.writing() as tx:
        return view(tx, approval.approve(tx, get_account(tx, request), _find(tx, app)))


def reject(request: Request, app: str, body: Rejection) -> App:
    """Refuse a request for approval, or withdraw an approval: projects can no longer run it."""
    with request.writing() as tx:
        return view(tx, approval.reject(tx, get_account(tx, request), _find(tx, app), body.reason))


def _find(tx: Transaction, app_id: str) -> Versioned:
    app = store.find_app(tx, app_id)
    if not app:
        raise AppNotFound(app_id)
    return apps.in_version(tx, app, app.version)
