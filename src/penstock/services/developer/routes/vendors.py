"""Vendors, their users, and the service accounts of their programs."""

from __future__ import annotations

from penstock.foundation.callers import Right
from penstock.services.developer.errors import LivesLonger
from penstock.services.developer.models.accounts import NewAccount, NewCredentials, VendorUser
from penstock.services.developer.models.vendors import NewVendor, PageQuery, Vendor, VendorChange, vendor_view
from penstock.services.developer.operations import users, vendors
from penstock.services.developer.operations.accounts import check_member, create_service_account
from penstock.services.developer.operations.apps import get_vendor as find_any_vendor
from penstock.services.developer.routes.callers import SIGNED_IN, get_account
from penstock.services.developer.store import vendors as store
from penstock.web.requests import Request
from penstock.web.routing import Route, delete, get, patch, post

ONE = "/vendors/{vendor}"


def routes() -> list[Route]:
    return [
        get("/vendors", list_vendors, needs=Right.PUBLIC, refuses_query_with=422),
        get(ONE, get_vendor, needs=Right.PUBLIC),
        post("/vendors", create_vendor, needs=Right.TOKEN, auth=SIGNED_IN, status=201, refuses_body_with=422),
        patch(ONE, change_vendor, needs=Right.TOKEN, auth=SIGNED_IN, refuses_body_with=422),
        post(
            f"{ONE}/credentials",
            create_credentials,
            needs=Right.TOKEN,
            auth=SIGNED_IN,
            refuses_body_with=422,
            title="Create a service account",
        ),
        get(f"{ONE}/users", list_users, needs=Right.TOKEN, auth=SIGNED_IN, title="List users of a vendor"),
        post(
            f"{ONE}/users/{{username}}",
            add_user,
            needs=Right.TOKEN,
            auth=SIGNED_IN,
            status=204,
            title="Add a user to a vendor",
        ),
        delete(
            f"{ONE}/users/{{username}}",
            remove_user,
            needs=Right.TOKEN,
            auth=SIGNED_IN,
            status=204,
            title="Remove a user of a vendor",
        ),
    ]


def list_vendors(request: Request, query: PageQuery) -> list[Vendor]:
    """Public vendors, by id."""
    with request.reading() as tx:
        return [vendor_view(row, is_public=True) for row in store.list_vendors(tx, query, is_public=True)]


def get_vendor(request: Request, vendor: str) -> Vendor:
    with request.reading() as tx:
        return vendor_view(vendors.get_public_vendor(tx, vendor), is_public=True)


def create_vendor(request: Request, body: NewVendor) -> Vendor:
    """Create a vendor. That of a user who is not an administrator waits for approval, and the user belongs to it."""
    with request.writing() as tx:
        return vendor_view(vendors.create_vendor(tx, get_account(tx, request), body))


def change_vendor(request: Request, vendor: str, body: VendorChange) -> Vendor:
    """Change what is given. Only an administrator changes `isPublic`, `isApproved`, `approval` and `projects`."""
    with request.writing() as tx:
        return vendor_view(vendors.change_vendor(tx, get_account(tx, request), vendor, body))


def create_credentials(request: Request, vendor: str, body: NewAccount) -> NewCredentials:
    """A service account for programs of the vendor; its password is shown this once."""
    if request.identity.grants_until:
        raise LivesLonger
    with request.writing() as tx:
        account = get_account(tx, request)
        check_member(account, find_any_vendor(tx, vendor).id)
        row, password = create_service_account(tx, account, vendor, body)
    return NewCredentials(username=row.username, password=password, description=row.description, created_on=row.created)


def list_users(request: Request, vendor: str) -> list[VendorUser]:
    """Users of the stack who belong to the vendor."""
    with request.reading() as tx:
        return users.list_users(tx, get_account(tx, request), vendor)


def add_user(request: Request, vendor: str, username: str) -> None:
    """A user of the stack, by its e-mail address: it sees and changes the apps of the vendor."""
    with request.writing() as tx:
        users.add_user(tx, get_account(tx, request), vendor, username)


def remove_user(request: Request, vendor: str, username: str) -> None:
    with request.writing() as tx:
        users.remove_user(tx, get_account(tx, request), vendor, username)
