"""Links that work once: the first administrator sets a password with one, and whoever has forgotten theirs.

The operator makes one (make_link), or a user asks for an e-mail with one (resets.py).

The link only shows a page. It is used up when the form there is sent, so that programs that look at the links of an
e-mail do not use it.
"""

from __future__ import annotations

from datetime import timedelta

from penstock.foundation import audit, clock, ids
from penstock.foundation.callers import Identity
from penstock.foundation.database import Transaction
from penstock.foundation.stack import Stack
from penstock.services.login.errors import LinkNotFound
from penstock.services.login.models import MfaRequired
from penstock.services.login.passwords import check_password, hash_password
from penstock.services.login.signing_in import Started, complete_or_ask, set_password, start_session
from penstock.services.login.store import codes
from penstock.services.management.interface import User, find_user, rename_user

LIFETIME = timedelta(hours=24)
PATH = "/v1/auth/page/link"


def make_link(tx: Transaction, user_id: int) -> str:
    """The path of the link. Older links of the user stop working."""
    text = ids.new_secret()
    codes.remove_codes(tx, user_id, "link")
    row = codes.Code(code_hash=codes.hash_code(text), kind="link", user_id=user_id, expires=clock.now() + LIFETIME)
    codes.add_code(tx, row)
    audit.record(tx, audit.NewEntry(event="login.linkCreated", project_id=0, target=f"user {user_id}"))
    return f"{PATH}?code={text}"


def find_owner(tx: Transaction, text: str) -> User:
    """The user that a link is for; raises LinkNotFound if it does not work any more."""
    code = _find(tx, text)
    user = find_user(tx, code.user_id) if code and code.is_valid else None
    if not user:
        raise LinkNotFound
    return user


def _find(tx: Transaction, text: str) -> codes.Code | None:
    return codes.find_code(tx, "link", text) or codes.find_code(tx, "reset", text)


def use_link(stack: Stack, visitor: Identity, text: str, name: str, password: str) -> Started | MfaRequired:
    """Set the name and the password of its user, and sign in.

    A second factor is still asked for: the link is instead of the password.
    """
    with stack.database.reading() as tx:
        user = find_owner(tx, text)
    check_password(password, user.email)
    hashed = hash_password(password)
    with stack.database.writing(0) as tx:
        use_code_of_link(tx, text)
        rename_user(tx, user.id, name)
        set_password(tx, visitor, user.id, hashed)
        return complete_or_ask(tx, visitor, user, "link", start_session)


def use_code_of_link(tx: Transaction, text: str) -> None:
    """Raises LinkNotFound if it does not work any more."""
    code = _find(tx, text)
    if not code or not code.is_valid or not codes.use_code(tx, code):
        raise LinkNotFound
