"""Sign-ins of people at services that issue tokens of another kind, such as the developer portal.

Each is a sign-in like every other: its user sees it among them and can end it, and a new password ends it.
"""

from __future__ import annotations

from penstock.foundation.callers import Identity
from penstock.foundation.database import Transaction
from penstock.foundation.stack import Stack
from penstock.services.login.errors import LinkNotFound
from penstock.services.login.links import find_owner as find_owner_of_link
from penstock.services.login.links import use_code_of_link
from penstock.services.login.passwords import check_password, hash_password
from penstock.services.login.signing_in import set_password
from penstock.services.login.store import tokens as store
from penstock.services.login.tokens import REFRESH, make_with_row
from penstock.services.management.interface import User, ensure_user, find_user, find_user_by_email, rename_user


def begin_sign_in(tx: Transaction, user: User, description: str) -> int:
    """The number of a new sign-in, which ends after 30 days. The text of its token is dropped: nobody can send it."""
    return make_with_row(tx, "refresh", user.id, REFRESH, description=description)[0].family_id


def find_user_of(tx: Transaction, sign_in_id: int) -> User | None:
    """Return None if the sign-in has ended, or its user was removed."""
    found = store.find_token(tx, sign_in_id)
    return find_user(tx, found.user_id) if found and found.kind == "refresh" and not found.is_expired else None


def is_signed_in(tx: Transaction, sign_in_id: int) -> bool:
    """Whether a sign-in, or a personal access token, still works: none of its tokens does once it was revoked."""
    return store.has_valid(tx, sign_in_id)


def end_sign_in(tx: Transaction, sign_in_id: int) -> None:
    if found := store.find_token(tx, sign_in_id):
        store.remove_family(tx, found.user_id, found.family_id)


def find_owner(tx: Transaction, token_id: int) -> User | None:
    """The user of a personal access token or an access token; None if it was revoked or has expired, or only opens a
    part of what the user may do."""
    found = store.find_token(tx, token_id)
    if not found or found.is_expired or found.only_reads or found.project_ids:
        return None
    return find_user(tx, found.user_id) if found.kind in ("personal", "access") else None


def hash_new_password(password: str, email: str) -> str:
    """Raises WeakPassword. Slow on purpose: never inside a transaction."""
    check_password(password, email)
    return hash_password(password)


def create_user(tx: Transaction, visitor: Identity, email: str, name: str, password_hash: str) -> User | None:
    """A user whose address is proved, with a password; None if the address has a user already, who stays as it is."""
    if find_user_by_email(tx, email):
        return None
    user = ensure_user(tx, email)
    rename_user(tx, user.id, name)
    set_password(tx, visitor, user.id, password_hash)
    return find_user(tx, user.id)


def set_forgotten_password(stack: Stack, visitor: Identity, email: str, code: str, password: str) -> None:
    """Set a password with the code of the e-mail. All sign-ins of the user end."""
    with stack.database.reading() as tx:
        user = find_owner_of_link(tx, code)
    if user.email != email.strip().lower():
        raise LinkNotFound
    hashed = hash_new_password(password, user.email)
    with stack.database.writing(0) as tx:
        use_code_of_link(tx, code)
        set_password(tx, visitor, user.id, hashed)
