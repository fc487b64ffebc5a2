"""Who sends a request, and how rows of this service name it."""

from __future__ import annotations

from penstock.foundation.callers import SignedIn
from penstock.foundation.database import Transaction
from penstock.services.developer.errors import InvalidToken
from penstock.services.developer.models.accounts import Account
from penstock.services.developer.operations import logins
from penstock.services.developer.operations.signed_in import find_account_now
from penstock.web.auth.developer_token import REFRESH_TOKEN, developer_token
from penstock.web.requests import Request

SIGNED_IN = developer_token(logins.authenticate, logins.MANAGE_APPS)
REFRESHING = developer_token(logins.authenticate_refresh, logins.MANAGE_APPS, name=REFRESH_TOKEN)


def get_account(tx: Transaction, request: Request) -> Account:
    """Return the account with what it may do now."""
    assert isinstance(request.identity, SignedIn)
    found = find_account_now(tx, request.identity)
    if not found:
        raise InvalidToken
    return found
