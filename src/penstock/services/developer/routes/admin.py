"""What administrators of the stack do: approve apps and vendors, or reject them, and see all users."""

from __future__ import annotations

from typing import Annotated

import msgspec

from penstock.foundation.database import Transaction
from penstock.foundation.stacks import STORAGE
from penstock.services.developer.errors import AppNotFound
from penstock.services.developer.models.apps import AppChange, Rejection, Versioned
from penstock.services.developer.models.people import PortalUser
from penstock.services.developer.models.vendors import PageQuery, Vendor, vendor_view
from penstock.services.developer.models.views import App
from penstock.services.developer.operations import administration, approval, apps, signing_up
from penstock.services.developer.operations.logins import MANAGE_APPS
from penstock.services.developer.registry.deploying import with_own_image
from penstock.services.developer.routes.apps import view, views
from penstock.services.developer.routes.callers import SIGNED_IN, get_account
from penstock.services.developer.store import apps as store
from penstock.services.developer.store import vendors as vendor_store
from penstock.web.requests import Request
from penstock.web.routing import Route, delete, get, patch, post

ONE = "/admin/apps/{app}"
VERSION = f"{ONE}/versions/{{version}}"
USER = "/admin/users/{username}"
VENDOR = "/admin/vendors/{vendor}"


class AppsQuery(PageQuery, frozen=True, kw_only=True):
    filter: Annotated[str, msgspec.Meta(max_length=255)] = ""
    """Only apps with this text in their id."""


class PublishedQuery(msgspec.Struct, frozen=True, kw_only=True):
    published: bool = False
    """Whether the app is returned only if it is public."""


class StackView(msgspec.Struct, frozen=True, kw_only=True):
    """A stack whose parameters an app may have: `stackParameters` has them by its host."""

    name: str
    host: str


def routes() -> list[Route]:
    return [
        get("/admin/stacks", list_stacks, needs=MANAGE_APPS, auth=SIGNED_IN),
        get(
            "/admin/users",
            list_users,
            needs=MANAGE_APPS,
            auth=SIGNED_IN,
            refuses_query_with=422,
            title="List users of all vendors",
        ),
        get(USER, get_user, needs=MANAGE_APPS, auth=SIGNED_IN),
        post(
            f"{USER}/confirm",
            confirm_user,
            needs=MANAGE_APPS,
            auth=SIGNED_IN,
            status=204,
            title="Confirm the sign-up of a user",
        ),
        delete(USER, remove_user, needs=MANAGE_APPS, auth=SIGNED_IN, status=204),
        get(
            "/admin/vendors",
            list_vendors,
            needs=MANAGE_APPS,
            auth=SIGNED_IN,
            refuses_query_with=422,
            title="List all vendors",
        ),
        post(f"{VENDOR}/approve", approve_vendor, needs=MANAGE_APPS, auth=SIGNED_IN),
        get(
            "/admin/apps",
            list_apps,
            needs=MANAGE_APPS,
            auth=SIGNED_IN,
            refuses_query_with=422,
            title="List apps of all vendors",
        ),
        patch(ONE, change_app, needs=MANAGE_APPS, auth=SIGNED_IN, refuses_body_with=422, title="Change any app"),
        get(
            "/admin/changes",
            list_requests,
            needs=MANAGE_APPS,
            auth=SIGNED_IN,
            refuses_query_with=422,
            title="List apps that wait for approval",
        ),
        get(ONE, get_any_app, needs=MANAGE_APPS, auth=SIGNED_IN, refuses_query_with=422, title="Get any app"),
        post(f"{ONE}/publish", approve, needs=MANAGE_APPS, auth=SIGNED_IN, title="Approve an app"),
        post(
            f"{VERSION}/approve",
            approve_version,
            needs=MANAGE_APPS,
            auth=SIGNED_IN,
            title="Approve a version of an app",
        ),
        post(
            f"{VERSION}/reject",
            reject_version,
            needs=MANAGE_APPS,
            auth=SIGNED_IN,
            refuses_body_with=422,
            title="Reject a version of an app",
        ),
        post(f"{ONE}/reject", reject, needs=MANAGE_APPS, auth=SIGNED_IN, refuses_body_with=422, title="Reject an app"),
    ]


def list_stacks(request: Request) -> list[StackView]:
    """List this stack: components run where they are published."""
    return [StackView(name=request.stack.domain, host=request.addresses.host_of(STORAGE))]


def list_users(request: Request, query: PageQuery) -> list[PortalUser]:
    """Users of the stack with their vendors, and sign-ups that wait for a confirmation."""
    with request.reading() as tx:
        return administration.list_users(tx, query)


def get_user(request: Request, username: str) -> PortalUser:
    with request.reading() as tx:
        return administration.get_user(tx, username)


def confirm_user(request: Request, username: str) -> None:
    """Confirm a sign-up, in place of the owner of the address."""
    with request.writing() as tx:
        signing_up.confirm_for(tx, get_account(tx, request), request.identity, username)


def remove_user(request: Request, username: str) -> None:
    """Remove a user from all vendors, or a sign-up that waits. The user of the stack stays."""
    with request.writing() as tx:
        administration.remove_user(tx, get_account(tx, request), username)


def list_vendors(request: Request, query: PageQuery) -> list[Vendor]:
    """All vendors, also those that wait for approval."""
    with request.reading() as tx:
        return [vendor_view(row) for row in vendor_store.list_vendors(tx, query, is_public=False)]


def approve_vendor(request: Request, vendor: str) -> Vendor:
    """Approve a vendor: from now on everyone sees it, and its apps can be published."""
    with request.writing() as tx:
        return vendor_view(administration.approve_vendor(tx, get_account(tx, request), vendor))


def list_apps(request: Request, query: AppsQuery) -> list[App]:
    """The apps of all vendors, by id."""
    with request.reading() as tx:
        return views(tx, apps.in_current_versions(tx, store.list_all(tx, query, query.filter)))


def change_app(request: Request, app: str, body: AppChange) -> App:
    """Change any app, as a new version, also in what its vendor may not set."""
    with request.writing() as tx:
        found = _find(tx, app)
        change = with_own_image(tx, found, body, request.addresses)
        return view(tx, apps.change_app(tx, get_account(tx, request), found.app.vendor_id, found.app.id, change))


def list_requests(request: Request, query: PageQuery) -> list[App]:
    """Apps that wait for approval, or have a version that does, the oldest request first."""
    with request.reading() as tx:
        return views(tx, apps.in_current_versions(tx, store.list_requested(tx, query)))


def get_any_app(request: Request, app: str, query: PublishedQuery) -> App:
    with request.reading() as tx:
        return view(tx, apps.get_public_app(tx, app) if query.published else _find(tx, app))


def approve(request: Request, app: str) -> App:
    """Approve the current version: from now on every project can use the app, and runs this version.

    Refused if the app was changed since its approval was requested. Then approve the version by its number."""
    with request.writing() as tx:
        return view(tx, approval.approve_current(tx, get_account(tx, request), _find(tx, app)))


def reject(request: Request, app: str, body: Rejection) -> App:
    """Refuse a request for approval, or withdraw an approval: projects can no longer run it."""
    with request.writing() as tx:
        return view(tx, approval.reject(tx, get_account(tx, request), _find(tx, app), body.reason))


def approve_version(request: Request, app: str, version: str) -> App:
    """Approve a version: from now on projects run this version, unless a newer one is approved; configurations may pin
    it."""
    with request.writing() as tx:
        wanted = apps.get_version(tx, _find(tx, app).app, version)
        return view(tx, approval.approve(tx, get_account(tx, request), wanted))


def reject_version(request: Request, app: str, version: str, body: Rejection) -> App:
    """Refuse a version, or withdraw its approval: projects run the newest one that is approved."""
    with request.writing() as tx:
        wanted = apps.get_version(tx, _find(tx, app).app, version)
        return view(tx, approval.reject_version(tx, get_account(tx, request), wanted, body.reason))


def _find(tx: Transaction, app_id: str) -> Versioned:
    app = store.find_app(tx, app_id)
    if not app:
        raise AppNotFound(app_id)
    return apps.in_version(tx, app, app.version)
