"""Invitations by the link of an e-mail: who is new sets a name and a password with it, others sign in first."""

from __future__ import annotations

import msgspec

from penstock.foundation.callers import Identity, SignedIn
from penstock.foundation.database import Transaction
from penstock.foundation.stack import Stack
from penstock.services.login.models import MfaRequired
from penstock.services.login.passwords import check_password, hash_password
from penstock.services.login.signing_in import Started, complete_or_ask, set_password, start_session
from penstock.services.management.interface import User, accept_invitation, find_invited_user, get_login, rename_user
from penstock.web.auth.person import PERSON

PATH = "/v1/auth/page/invitation"


class Invited(msgspec.Struct, frozen=True):
    user: User
    is_new: bool
    """Whether the user has never set a password: then the code is enough."""


def find_invited(tx: Transaction, code: str) -> Invited:
    """Raises if the link does not work any more."""
    user = find_invited_user(tx, code)
    return Invited(user, get_login(tx, user.id).password_hash is None)


def accept_as_new(stack: Stack, visitor: Identity, code: str, name: str, password: str) -> Started | MfaRequired:
    """Set the name and the password, accept, and sign in."""
    with stack.database.reading() as tx:
        user = find_invited(tx, code).user
    check_password(password, user.email)
    hashed = hash_password(password)
    with stack.database.writing(0) as tx:
        caller = _as_user(visitor, user)
        accept_invitation(tx, caller, code)
        rename_user(tx, user.id, name)
        set_password(tx, caller, user.id, hashed)
        return complete_or_ask(tx, visitor, user, "invitation", start_session)


def accept(stack: Stack, caller: SignedIn, code: str) -> None:
    with stack.database.writing(0) as tx:
        accept_invitation(tx, caller, code)


def _as_user(visitor: Identity, user: User) -> SignedIn:
    """Return the user, who has the code: it was sent to the user's address only."""
    return SignedIn(
        scheme=PERSON,
        project_id=0,
        token_id=0,
        description=user.email,
        subject="invitation",
        user_id=user.id,
        origin=visitor.origin,
    )
