"""Failed attempts to sign in: after too many, all are refused for a while, right ones too.

They are counted for the e-mail address, whether a user has it or not, together with the network that they come from,
and for the network alone. Anybody can send wrong passwords for a user, so those from all networks together refuse
nothing: they only make each network wait between its attempts. A browser in which the user has signed in before is
counted for itself. An attempt counts before the password is compared, so that many at once are not more than many in a
row.
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
from penstock.services.login.errors import TooManyAttempts, TooManyInvitations, TooManyRegistrations
from penstock.services.login.store import attempts as store
from penstock.services.login.store.codes import hash_code

PER_USER, PER_ADDRESS, RESETS, INVITATIONS, REGISTRATIONS = 10, 100, 3, 20, 50
PAUSE = timedelta(seconds=30)
"""Between attempts from one network for a user who has had too many failed ones from anywhere."""
STARTED_PER_ADDRESS = 1_000
"""Sign-ins that wait for a person: a tenth of what the stack keeps, so that one address does not take all places."""
WINDOW = timedelta(minutes=15)
"""In which they are counted, and for which more are refused."""


def begin_attempt(stack: Stack, visitor: Identity, who: str, browser: str = "") -> None:
    """Count an attempt of an unauthenticated client. Raises TooManyAttempts if there were too many before. `browser` is
    one in which this user has signed in before (known_browsers.py)."""
    if browser:
        _begin(stack, visitor, who, {_browser_key(browser): PER_USER})
        return
    limits = {_pair_key(visitor, who): PER_USER, **_of_address(visitor)}
    _begin(stack, visitor, who, limits, more=lambda tx: _slow_down(tx, visitor, who))


def begin_confirmation(stack: Stack, visitor: Identity, who: str) -> None:
    """Count an attempt of a client that has already sent the right password, such as a code of the second factor. Only
    such a client can lock the user out, so attempts from all networks count together: otherwise a code of six digits
    could be tried from a thousand networks."""
    limits = {_confirmation_key(who): PER_USER, _pair_key(visitor, who): PER_USER}
    _begin(stack, visitor, who, {**limits, **_of_address(visitor)})


def begin_reset(stack: Stack, visitor: Identity, who: str) -> None:
    """The same for requests of a new password: fewer, since each is an e-mail. Those from other networks only slow it
    down, since anybody can send them for any address."""
    whom = f"reset {who}"
    limits = {_pair_key(visitor, whom): RESETS, **_of_address(visitor)}
    _begin(stack, visitor, who, limits, more=lambda tx: _slow_down(tx, visitor, whom, RESETS))


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
    more: Callable[[Transaction], None] = lambda _tx: None,
) -> None:
    """`more` is done in the same transaction, with an attempt that is let through."""
    with stack.database.writing(0) as tx:
        wait = max((_wait_of(tx, key) for key in limits), default=0)
        for key, most in limits.items() if not wait else ():
            if _count(tx, key, most):
                entry = audit.NewEntry.of(visitor, "login.locked", f"user {who[:255]}", minutes=WINDOW.seconds // 60)
                audit.record(tx, entry)
        if not wait:
            more(tx)
    if wait:
        raise refusal(wait)


def _slow_down(tx: Transaction, visitor: Identity, who: str, most: int = PER_USER) -> None:
    """Count it for the user alone, and let the network wait before its next one if there were many."""
    if not _count(tx, _user_key(who), most, lock=False):
        return
    pair = store.find_attempts(tx, _pair_key(visitor, who))
    if pair and pair.until is None:
        store.save_attempts(tx, msgspec.structs.replace(pair, until=clock.now() + PAUSE))


def forget_attempts(tx: Transaction, visitor: Identity, who: str) -> None:
    """Reset the counts after a success: those of the user from this network and from all networks. Failures of the
    network for other users stay counted, and so do failures for this user from other networks."""
    for key in (_pair_key(visitor, who), _confirmation_key(who), _user_key(who)):
        store.remove_attempts(tx, key)
    _forget_one(tx, _address_keys(visitor))


def forget_attempt(tx: Transaction, visitor: Identity, who: str) -> None:
    """The attempt succeeded, and that says nothing of those before."""
    _forget_one(tx, [_confirmation_key(who), _pair_key(visitor, who), *_address_keys(visitor)])


def _forget_one(tx: Transaction, keys: list[str]) -> None:
    for key in keys:
        if found := store.find_attempts(tx, key):
            store.save_attempts(tx, msgspec.structs.replace(found, failures=max(0, found.failures - 1), until=None))


def _of_address(visitor: Identity) -> dict[str, int]:
    return dict.fromkeys(_address_keys(visitor), PER_ADDRESS)


def _pair_key(visitor: Identity, who: str) -> str:
    address = visitor.origin.address if visitor.origin else ""
    network = "this machine" if not address or is_loopback(address) else network_of(address)
    return hash_code(f"user {who.strip().lower()} from {network}")


def _confirmation_key(who: str) -> str:
    return _user_key(f"confirmation of {who}")


def _browser_key(browser: str) -> str:
    return hash_code(f"browser {browser}")


def _user_key(who: str) -> str:
    return hash_code(f"user {who.strip().lower()}")


def _address_keys(visitor: Identity, what: str = "address") -> list[str]:
    """Return none for this machine: everyone on it would be refused."""
    address = visitor.origin.address if visitor.origin else ""
    return [hash_code(f"{what} {network_of(address)}")] if address and not is_loopback(address) else []


def _wait_of(tx: Transaction, key: str) -> int:
    found = store.find_attempts(tx, key)
    left = (found.until - clock.now()).total_seconds() if found and found.until else 0
    return max(0, math.ceil(left))


def _count(tx: Transaction, key: str, most: int, *, lock: bool = True) -> bool:
    """Whether this is the last one that is let through, or would be if there were a lock."""
    now, found = clock.now(), store.find_attempts(tx, key)
    if not found or found.since + WINDOW <= now:
        found = store.Attempts(key=key, failures=0, since=now)
    failures = found.failures + 1
    is_last = failures >= most
    until = now + WINDOW if is_last and lock else None
    store.save_attempts(tx, msgspec.structs.replace(found, failures=failures, until=until))
    return is_last
