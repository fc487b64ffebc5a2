"""Forgotten passwords: a link by e-mail, which works once, soon, and for its user.

Nobody learns from a request whether an address has a user: the response, the work and the limits are the same.
"""

from __future__ import annotations

from datetime import timedelta

from penstock.foundation import audit, clock, events, ids
from penstock.foundation.callers import Identity
from penstock.foundation.database import Transaction
from penstock.foundation.errors import Invalid
from penstock.foundation.stack import Stack
from penstock.services.login.attempts import begin_reset
from penstock.services.login.errors import TooManyWaiting
from penstock.services.login.store import codes
from penstock.services.management.interface import (
    RESET_SEALED_FOR,
    PasswordResetRequested,
    find_user_by_email,
    get_login,
)

LIFETIME = timedelta(minutes=30)
MINUTES = int(LIFETIME.total_seconds() // 60)


class NoMail(Invalid):
    def __init__(self) -> None:
        super().__init__(
            "This stack sends no e-mails. Ask its operator for a link with which you set a new password: "
            "penstock login link --email ADDRESS"
        )


def request_reset(stack: Stack, visitor: Identity, email: str) -> None:
    """Raises TooManyAttempts, for any address, after too many requests."""
    if not stack.settings.smtp_host:
        raise NoMail
    begin_reset(stack, visitor, email)
    with stack.database.writing(0) as tx:
        if codes.count_waiting(tx, "reset") >= codes.MAX_WAITING:
            raise TooManyWaiting
        user_id, text = _find_user_id(tx, email), ids.new_secret()
        expires = clock.now() + LIFETIME
        codes.add_code(tx, codes.Code(code_hash=codes.hash_code(text), kind="reset", user_id=user_id, expires=expires))
        sealed = stack.cipher.seal(text.encode(), RESET_SEALED_FOR).hex()
        address = email.strip().lower()
        events.publish(
            tx,
            PasswordResetRequested(project_id=0, user_id=user_id, email=address, minutes=MINUTES, sealed_code=sealed),
        )
        audit.record(tx, audit.NewEntry.of(visitor, "password.resetRequested", f"user {address[:255]}"))


def _find_user_id(tx: Transaction, email: str) -> int:
    """0 for users who have never had a password: they were invited, or have single sign-on."""
    user = find_user_by_email(tx, email)
    login = get_login(tx, user.id if user else 0)
    return login.user_id if login.password_hash else 0
