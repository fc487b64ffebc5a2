"""What clients of the registry sign in with: a signed token as the password, for the images of one app.

It ends with the login, or the token of a user, that it was made with. Workers pull with one that has no login.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import msgspec

from penstock.foundation import clock
from penstock.foundation.callers import Identity, SignedIn
from penstock.foundation.database import Transaction
from penstock.foundation.secrets import Cipher
from penstock.foundation.stack import Stack
from penstock.services.developer.errors import InvalidToken
from penstock.services.developer.models.accounts import Account
from penstock.services.developer.operations.signed_in import find_account_of, to_account
from penstock.services.developer.operations.tokens import Claims, Use, read_token, sign_token
from penstock.services.developer.store import accounts
from penstock.services.login.interface import find_owner
from penstock.web.auth.basic import basic

USERNAME = "penstock"
"""Every client needs one; only the password counts."""
PUSH_LIFETIME, PULL_LIFETIME = timedelta(hours=12), timedelta(hours=1)
WORKER = Account(username="worker", name="worker", is_admin=True)
"""Who pulls the images of jobs."""
IMAGE_CREDENTIALS = "image credentials"
"""The name of the scheme."""


class ImageCredentials(msgspec.Struct, frozen=True):
    username: str
    password: str
    """For 12 hours, or until the login ends that it was made with."""


class AppRepository(msgspec.Struct, frozen=True):
    """Where the images of an app are pushed to."""

    registry: str
    """Host and port."""
    repository: str
    credentials: ImageCredentials


def make_push_credentials(cipher: Cipher, caller: Identity, app_id: str, *, is_personal: bool) -> ImageCredentials:
    """`is_personal`: the caller has sent a token of Management, and not one of a login."""
    assert isinstance(caller, SignedIn)
    ends = [clock.now() + PUSH_LIFETIME, *([caller.expires] if is_personal and caller.expires else [])]
    return _make(cipher, "push", caller.subject, caller.token_id, app_id, min(ends), is_personal=is_personal)


def make_pull_credentials(cipher: Cipher, app_id: str) -> ImageCredentials:
    """Make credentials for a worker that runs the app, only for pulling its images."""
    return _make(cipher, "pull", WORKER.username, 0, app_id, clock.now() + PULL_LIFETIME)


def _make(
    cipher: Cipher, use: Use, subject: str, token_id: int, app_id: str, end: datetime, *, is_personal: bool = False
) -> ImageCredentials:
    claims = Claims(
        sub=subject,
        jti=token_id,
        iat=int(clock.now().timestamp()),
        exp=int(end.timestamp()),
        use=use,
        app=app_id,
        is_personal=is_personal,
    )
    return ImageCredentials(USERNAME, sign_token(cipher, claims))


def find_holder(tx: Transaction, claims: Claims) -> Account | None:
    """Whose credentials they are, with what the account may do now; None if what they were made with has ended."""
    if claims.use == "pull":
        return WORKER
    if claims.is_personal:
        user = find_owner(tx, claims.jti)
        return to_account(tx, user) if user else None
    login = accounts.find_login(tx, claims.jti)
    return find_account_of(tx, login) if login and login.expires > clock.now() else None


def read_credentials(stack: Stack, password: str) -> Claims:
    return read_token(stack.cipher, password, "push", "pull")


def authenticate(stack: Stack, password: str) -> SignedIn:
    claims = read_credentials(stack, password)
    with stack.database.reading() as tx:
        holder = find_holder(tx, claims)
    if not holder:
        raise InvalidToken
    return SignedIn(
        scheme=IMAGE_CREDENTIALS,
        project_id=0,
        token_id=claims.jti,
        description=f"{holder.username}, images of {claims.app}",
        expires=datetime.fromtimestamp(claims.exp, UTC),
        subject=holder.username,
        user_id=holder.user_id,
    )


WITH_IMAGE_CREDENTIALS = basic(
    IMAGE_CREDENTIALS,
    authenticate,
    "Both are in the response of GET /vendors/VENDOR/apps/APP/repository of the developer portal.",
)
