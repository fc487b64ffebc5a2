"""Failed attempts to sign in: after too many, all are refused for a while, right ones too.

They are counted for the e-mail address, whether a user has it or not, and for the address that they come from. An
attempt counts before the password is compared, so that many at once are not more than many in a row.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import timedelta

import msgspec

from penstock.foundation import audit, clock
from penstock.foundation.callers import Identity
from penstock.foundation.database import Transaction
from penstock.foundation.errors import AppError
from penstock.foundation.machine import is_loopback, network_of
from penstock.foundation.stack import Stack
from penstock.services.management.login.errors import TooManyAttempts, TooManyInvitations, TooManyRegistrations
from penstock.services.management.login.store import attempts as store
from penstock.services.management.login.store.codes import hash_code

PER_USER, PER_ADDRESS, RESETS, INVITATIONS, REGISTRATIONS = 10, 100, 3, 20, 50
STARTED_PER_ADDRESS = 1_000
"""Sign-ins that wait for a person: a tenth of what the stack keeps, so that one address does not take all places."""
WINDOW = timedelta(minutes=15)
"""In which they are counted, and for which more are refused."""


def begin_attempt(stack: Stack, visitor: Identity, who: str) -> None:
    """Count one. Raises TooManyAttempts if there were too many before."""
    _begin(stack, visitor, who, _keys(visitor, who))


def begin_reset(stack: Stack, visitor: Identity, who: str) -> None:
    """The same for requests of a new password: fewer, since each is an e-mail."""
    _begin(stack, visitor, who, _keys(visitor, f"reset {who}") | {_user_key(f"reset {who}"): RESETS})


def begin_invitation(stack: Stack, visitor: Identity, email: str) -> None:
    """The same for invitations: who is invited, and the invitation deleted, over and over gets an e-mail each time."""
    _begin(stack, visitor, email, {_user_key(f"invitation {email}"): INVITATIONS}, TooManyInvitations)


def begin_waiting(stack: Stack, visitor: Identity, kind: str) -> None:
    """The same for sign-ins that are continued in a browser or at a provider: anybody can start them."""
    keys = _address_keys(visitor, f"{kind} from")
    if keys:
        _begin(stack, visitor, kind, dict.fromkeys(keys, STARTED_PER_ADDRESS))


def begin_registration(stack: Stack, visitor: Identity) -> None:
    """The same for programs that register themselves: anybody can send one."""
    if keys := _address_keys(visitor, "registration from"):
        _begin(stack, visitor, "registration", dict.fromkeys(keys, REGISTRATIONS), TooManyRegistrations)


def _begin(
    stack: Stack,
    visitor: Identity,
    who: str,
    limits: dict[str, int],
    refusal: Callable[[int], AppError] = TooManyAttempts,
) -> None:
    with stack.database.writing(0) as tx:
        wait = max((_wait_of(tx, key) for key in limits), default=0)
        for key, most in limits.items() if not wait else ():
            if _count(tx, key, most):
                entry = audit.NewEntry.of(visitor, "login.locked", f"user {who[:255]}", minutes=WINDOW.seconds // 60)
                audit.record(tx, entry)
    if wait:
        raise refusal(wait)


def forget_attempts(tx: Transaction, visitor: Identity, who: str) -> None:
    """The attempt succeeded. Those from the address stay counted, but for this one."""
    store.remove_attempts(tx, _user_key(who))
    _forget_one(tx, _address_keys(visitor))


def forget_attempt(tx: Transaction, visitor: Identity, who: str) -> None:
    """The attempt succeeded, and that says nothing of those before."""
    _forget_one(tx, [_user_key(who), *_address_keys(visitor)])


def _forget_one(tx: Transaction, keys: list[str]) -> None:
    for key in keys:
        if found := store.find_attempts(tx, key):
            store.save_attempts(tx, msgspec.structs.replace(found, failures=max(0, found.failures - 1), until=None))


def _keys(visitor: Identity, who: str) -> dict[str, int]:
    return {_user_key(who): PER_USER, **dict.fromkeys(_address_keys(visitor), PER_ADDRESS)}


def _user_key(who: str) -> str:
    return hash_code(f"user {who.strip().lower()}")


def _address_keys(visitor: Identity, what: str = "address") -> list[str]:
    """None for this machine: everybody on it would be refused."""
    address = visitor.origin.address if visitor.origin else ""
    return [hash_code(f"{what} {network_of(address)}")] if address and not is_loopback(address) else []


def _wait_of(tx: Transaction, key: str) -> int:
    found = store.find_attempts(tx, key)
    left = (found.until - clock.now()).total_seconds() if found and found.until else 0
    return max(0, math.ceil(left))


def _count(tx: Transaction, key: str, most: int) -> bool:
    """Whether this is the last one that is let through."""
    now, found = clock.now(), store.find_attempts(tx, key)
    if not found or found.since + WINDOW <= now:
        found = store.Attempts(key=key, failures=0, since=now)
    failures = found.failures + 1
    is_last = failures >= most
    until = now + WINDOW if is_last else None
    store.save_attempts(tx, msgspec.structs.replace(found, failures=failures, until=until))
    return is_last
