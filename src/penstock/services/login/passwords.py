"""Passwords: their rules, and the Argon2 hash that is stored of them."""

from __future__ import annotations

from functools import cache
from threading import BoundedSemaphore
from typing import TYPE_CHECKING

from penstock.services.login.errors import WeakPassword

if TYPE_CHECKING:
    from argon2 import PasswordHasher

MIN_LENGTH, MAX_LENGTH = 12, 128
DIFFERENT = 5
"""How many different characters a password has at least."""
_NOBODYS = "$argon2id$v=19$m=19456,t=2,p=1$MTPD7Yr6r68oz4JWsKyraQ$mw6eIe6OpT0Bh+tTtfML2RvmibEOUibmEG5LADIOlms"
"""Of a random password. It is compared where there is no user, so that this takes as long as a wrong password."""
_at_a_time = BoundedSemaphore(4)
"""Each computation takes 19 MB: many attempts at once must not take the memory of the stack."""


@cache
def _hasher() -> PasswordHasher:
    """Return a hasher with the parameters that OWASP recommends. Imported late: most processes never need it."""
    from argon2 import PasswordHasher

    return PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)


def check_password(password: str, email: str) -> None:
    """Raises WeakPassword, with the rule that it breaks."""
    if len(password) < MIN_LENGTH:
        raise WeakPassword(f"has fewer than {MIN_LENGTH} characters")
    if len(password) > MAX_LENGTH:
        raise WeakPassword(f"has more than {MAX_LENGTH} characters")
    if len(set(password)) < DIFFERENT:
        raise WeakPassword(f"has fewer than {DIFFERENT} different characters")
    if email.lower() in password.lower():
        raise WeakPassword("contains your e-mail address")


def hash_password(password: str) -> str:
    """Slow on purpose: never inside a transaction."""
    with _at_a_time:
        return _hasher().hash(password)


def is_right(password: str, password_hash: str | None) -> bool:
    """Takes the same time for a user without a password, and for none at all."""
    from argon2.exceptions import InvalidHashError, VerificationError

    with _at_a_time:
        try:
            return _hasher().verify(password_hash or _NOBODYS, password[: MAX_LENGTH + 1]) and password_hash is not None
        except (VerificationError, InvalidHashError):
            return False
