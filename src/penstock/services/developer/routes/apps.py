"""Apps."""

from __future__ import annotations

from penstock.foundation.callers import Right
from penstock.foundation.database import Transaction
from penstock.services.developer.models.apps import AppChange, Deprecation, NewApp, Versioned
from penstock.services.developer.models.vendors import PageQuery
from penstock.services.developer.models.views import App, app_view
from penstock.services.developer.operations import approval, apps
from penstock.services.developer.operations.publishing import archives_in, drop_archives
from penstock.services.developer.registry.credentials import AppRepository, make_push_credentials
from penstock.services.developer.registry.deploying import remove_app, with_own_image
from penstock.services.developer.registry.names import registry_address, repository_name
from penstock.services.developer.routes.callers import SIGNED_IN, get_account
from penstock.services.developer.store import apps as store
from penstock.web.auth.storage_token import PERSONAL
from penstock.web.requests import Request
from penstock.web.routing import Route, delete, get, patch, post

OF_VENDOR = "/vendors/{vendor}/apps"
ONE = f"{OF_VENDOR}/{{app}}"


def routes() -> list[Route]:
    return [
        get("/apps", list_public_apps, needs=Right.PUBLIC, refuses_query_with=422, title="List published apps"),
        get("/apps/{app}", get_public_app, needs=Right.PUBLIC, title="Get a published app"),
        get(
            OF_VENDOR,
            list_apps,
            needs=Right.TOKEN,
            auth=SIGNED_IN,
            refuses_query_with=422,
            title="List apps of a vendor",
        ),
        post(OF_VENDOR, create_app, needs=Right.TOKEN, auth=SIGNED_IN, status=201, refuses_body_with=422),
        get(ONE, get_app, needs=Right.TOKEN, auth=SIGNED_IN, title="Get an app of a vendor"),
        patch(ONE, change_app, needs=Right.TOKEN, auth=SIGNED_IN, refuses_body_with=422),
        delete(ONE, delete_app, needs=Right.TOKEN, auth=SIGNED_IN),
        get(
            f"{ONE}/repository",
            get_repository,
            needs=Right.TOKEN,
            auth=SIGNED_IN,
            title="Get the image repository of an app",
        ),
        post(f"{ONE}/publish", publish, needs=Right.TOKEN, auth=SIGNED_IN, title="Request the approval of an app"),
        post(
            f"{ONE}/deprecate",
            deprecate,
            needs=Right.TOKEN,
            auth=SIGNED_IN,
            refuses_body_with=422,
            title="Deprecate an app",
        ),
    ]


def list_public_apps(request: Request, query: PageQuery) -> list[App]:
    """Published apps, by id."""
    with request.reading() as tx:
        return views(tx, apps.in_current_versions(tx, store.list_apps(tx, query), only_approved=True), is_public=True)


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
    """Change what is given, as a new version, which jobs use once it is approved. A tag without an address is one
    that was pushed to the registry of this stack, unless the app has a program elsewhere."""
    with request.writing() as tx:
        account = get_account(tx, request)
        change = with_own_image(tx, apps.get_app(tx, account, vendor, app), body, request.addresses)
        return view(tx, apps.change_app(tx, account, vendor, app, change))


def delete_app(request: Request, vendor: str, app: str) -> App:
    """Remove an app with all versions, archives and images. Configurations stay."""
    with request.writing() as tx:
        found, unused = remove_app(tx, get_account(tx, request), vendor, app)
        removed = view(tx, found)
    request.commit()
    drop_archives(archives_in(request.stack.folder), unused)
    return removed


def get_repository(request: Request, vendor: str, app: str) -> AppRepository:
    """The repository of the app in the registry of this stack, and credentials for it, which are valid for 12 hours.

    An image is pushed to `registry`/`repository`:tag. A change of the app to this tag then deploys it.
    """
    with request.reading() as tx:
        found = apps.get_app(tx, get_account(tx, request), vendor, app).app
    is_personal = request.token.startswith(PERSONAL)
    return AppRepository(
        registry=registry_address(request.addresses),
        repository=repository_name(found.vendor_id, found.id),
        credentials=make_push_credentials(request.stack.cipher, request.identity, found.id, is_personal=is_personal),
    )


def publish(request: Request, vendor: str, app: str) -> App:
    """Ask for approval; an administrator approves at once. Projects can use approved versions only."""
    with request.writing() as tx:
        return view(tx, approval.request_publishing(tx, get_account(tx, request), vendor, app))


def deprecate(request: Request, vendor: str, app: str, body: Deprecation) -> App:
    """Mark an app as replaced. It still runs."""
    with request.writing() as tx:
        return view(tx, approval.deprecate(tx, get_account(tx, request), vendor, app, body))


def view(tx: Transaction, versioned: Versioned) -> App:
    return views(tx, [versioned])[0]


def views(tx: Transaction, rows: list[Versioned], *, is_public: bool = False) -> list[App]:
    known = {each: apps.get_vendor(tx, each) for each in {one.app.vendor_id for one in rows}}
    return [app_view(each, known[each.app.vendor_id], is_public=is_public) for each in rows]
