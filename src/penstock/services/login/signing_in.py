"""Signing in with a password and, where the user has one, a second factor."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import TypeVar

import msgspec

from penstock.foundation import audit, clock, ids
from penstock.foundation.callers import Identity
from penstock.foundation.database import Transaction
from penstock.foundation.stack import Stack
from penstock.services.login import second_factor
from penstock.services.login.attempts import begin_attempt, begin_confirmation, forget_attempts
from penstock.services.login.errors import UnfinishedSignInGone, WrongCode, WrongPassword
from penstock.services.login.known_browsers import find_browser
from penstock.services.login.models import MfaRequired
from penstock.services.login.passwords import check_password, hash_password, is_right
from penstock.services.login.store import codes
from penstock.services.login.store import tokens as tokens_store
from penstock.services.login.tokens import OF_SIGN_INS, SESSION, make_token
from penstock.services.management.interface import (
    User,
    find_user,
    find_user_by_email,
    get_login,
    remove_login,
    save_login,
)

T = TypeVar("T")
Finish = Callable[[Transaction, User], T]
"""What a user gets who has signed in, made in the transaction that says so in the audit log."""

MFA_LIFETIME = timedelta(minutes=5)


class Started(msgspec.Struct, frozen=True):
    """A browser that is signed in."""

    session: str
    """What its cookie holds."""
    email: str


def sign_in(
    stack: Stack, visitor: Identity, email: str, password: str, finish: Finish[T], mark: str = ""
) -> T | MfaRequired:
    """`mark` is the cookie of a browser in which somebody has signed in before."""
    browser = find_browser(stack.cipher, email, mark)
    begin_attempt(stack, visitor, email, browser)
    with stack.database.reading() as tx:
        user = find_user_by_email(tx, email)
        login = get_login(tx, user.id if user else 0)
    is_known = is_right(password, login.password_hash)
    with stack.database.writing(0) as tx:
        if user and is_known:
            return complete_or_ask(tx, visitor, user, "password", finish)
        _record_failure(tx, visitor, email, "password")
    raise WrongPassword


def sign_in_with_code(stack: Stack, visitor: Identity, mfa_token: str, code: str, finish: Finish[T]) -> T:
    with stack.database.reading() as tx:
        begun = codes.find_code(tx, "mfa", mfa_token)
        user = find_user(tx, begun.user_id) if begun and begun.is_valid else None
    if not user or not begun:
        raise UnfinishedSignInGone
    begin_confirmation(stack, visitor, user.email)
    with stack.database.writing(0) as tx:
        if second_factor.accept_code(tx, stack, user.id, code):
            if not codes.use_code(tx, begun):
                raise UnfinishedSignInGone
            return complete(tx, visitor, user, "second factor", finish)
        _record_failure(tx, visitor, user.email, "second factor")
    raise WrongCode


def complete_or_ask(tx: Transaction, visitor: Identity, user: User, method: str, finish: Finish[T]) -> T | MfaRequired:
    """Whoever has a second factor is asked for a code of it first."""
    if get_login(tx, user.id).has_second_factor:
        return _ask_for_code(tx, user)
    return complete(tx, visitor, user, method, finish)


def complete(tx: Transaction, visitor: Identity, user: User, method: str, finish: Finish[T]) -> T:
    """The user has proved who it is."""
    forget_attempts(tx, visitor, user.email)
    audit.record(tx, audit.NewEntry.of(visitor, "login.succeeded", f"user {user.id}", method=method))
    return finish(tx, user)


def start_session(tx: Transaction, user: User) -> Started:
    return Started(make_token(tx, "session", user.id, SESSION, description="browser"), user.email)


def change_password(stack: Stack, caller: Identity, user_id: int, family_id: int, old: str, new: str) -> None:
    """Every other sign-in ends; personal tokens stay."""
    with stack.database.reading() as tx:
        user, login = find_user(tx, user_id), get_login(tx, user_id)
    assert user
    begin_confirmation(stack, caller, user.email)
    if not is_right(old, login.password_hash):
        raise WrongPassword
    check_password(new, user.email)
    hashed = hash_password(new)
    with stack.database.writing(0) as tx:
        forget_attempts(tx, caller, user.email)
        set_password(tx, caller, user.id, hashed, keep_family=family_id)


def set_password(tx: Transaction, caller: Identity, user_id: int, hashed: str, keep_family: int = 0) -> None:
    """Links and sign-ins that are not complete end with it."""
    login = get_login(tx, user_id)
    save_login(tx, msgspec.structs.replace(login, password_hash=hashed, password_changed=clock.now()))
    tokens_store.remove_tokens(tx, user_id, OF_SIGN_INS, keep_family)
    codes.remove_codes(tx, user_id, *codes.OF_USERS)
    audit.record(tx, audit.NewEntry.of(caller, "password.changed", f"user {user_id}"))


def forget_user(tx: Transaction, user_id: int) -> None:
    """Everything that a user who is removed could sign in with."""
    remove_login(tx, user_id)
    tokens_store.remove_tokens(tx, user_id, ("personal", *OF_SIGN_INS))
    codes.remove_codes(tx, user_id, *codes.OF_USERS)


def _ask_for_code(tx: Transaction, user: User) -> MfaRequired:
    """The first factor is right, and the user has a second one."""
    text = ids.new_secret()
    expires = clock.now() + MFA_LIFETIME
    codes.add_code(tx, codes.Code(code_hash=codes.hash_code(text), kind="mfa", user_id=user.id, expires=expires))
    return MfaRequired(mfa_token=text, expires_in=int(MFA_LIFETIME.total_seconds()))


def _record_failure(tx: Transaction, visitor: Identity, email: str, method: str) -> None:
    target = f"user {email.strip().lower()[:255]}"
    audit.record(tx, audit.NewEntry.of(visitor, "login.failed", target, method=method))
