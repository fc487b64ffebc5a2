"""Which repository a request may read or write: that of the app that its credentials are for. Images of other apps of
the same vendor can be read, so that layers need not be uploaded twice."""

from __future__ import annotations

import msgspec

from penstock.foundation.database import Transaction
from penstock.services.developer.errors import InvalidToken
from penstock.services.developer.models.accounts import Account
from penstock.services.developer.models.apps import AppRow
from penstock.services.developer.operations.accounts import check_member
from penstock.services.developer.registry.credentials import find_holder, read_credentials
from penstock.services.developer.registry.errors import OtherRepository, RepositoryUnknown
from penstock.services.developer.store import apps
from penstock.web.requests import Request


class Repository(msgspec.Struct, frozen=True):
    """An app, and who may do this with its images."""

    app: AppRow
    account: Account

    @property
    def name(self) -> str:
        return f"{self.app.vendor_id}/{self.app.id}"


def open_repository(tx: Transaction, request: Request, vendor_id: str, app_id: str, *, writes: bool) -> Repository:
    """Raises if there is none, or the credentials are not for it."""
    claims = read_credentials(request.stack, request.token)
    account = find_holder(tx, claims)
    if not account:
        raise InvalidToken
    name = f"{vendor_id}/{app_id}"
    is_own = claims.app == app_id
    if not is_own and (writes or claims.use == "pull" or _vendor_of(claims.app) != vendor_id):
        raise OtherRepository(name)
    if writes and claims.use == "pull":
        raise OtherRepository(name)
    app = apps.find_app(tx, app_id)
    if not app or app.vendor_id != vendor_id:
        raise RepositoryUnknown(name)
    check_member(account, app.vendor_id)
    return Repository(app, account)


def _vendor_of(app_id: str) -> str:
    return app_id.partition(".")[0]
