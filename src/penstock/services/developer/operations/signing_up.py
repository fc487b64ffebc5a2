"""Sign-ups: who confirms an address becomes a user of the stack, without any project or vendor.

Nothing but the sign-up exists before that, so that nobody can take an address that is not theirs. A user who exists
stays as it is. Without SMTP, an administrator confirms. Nobody learns from a sign-up whether an address has a user.
"""

from __future__ import annotations

import hmac
from datetime import timedelta

import msgspec

from penstock.foundation import clock, events, ids
from penstock.foundation.callers import Identity
from penstock.foundation.database import Transaction
from penstock.foundation.logging import Log
from penstock.foundation.settings import Settings
from penstock.foundation.stack import Stack
from penstock.services.developer.errors import (
    NotConfirmed,
    SignUpClosed,
    SignUpNotFound,
    TooManySignUps,
)
from penstock.services.developer.models.accounts import Account
from penstock.services.developer.models.people import (
    SIGN_UP_SEALED_FOR,
    SignedUp,
    SignUp,
    SignUpRequested,
    SignUpRow,
)
from penstock.services.developer.operations.accounts import record
from penstock.services.developer.store import people
from penstock.services.login import interface as login
from penstock.services.management import interface as management

log = Log("developer")
LIFETIME = timedelta(hours=24)
UNCONFIRMED_LIFETIME = timedelta(days=30)
"""Where an administrator confirms, who does not look every day."""
MAX_SIGN_UPS = 1_000
"""That wait: nobody has to sign in to make one."""


def sign_up(stack: Stack, visitor: Identity, request: SignUp) -> SignedUp:
    address = management.check_email(request.email)
    check_open(stack.settings, address)
    login.begin_reset(stack, visitor, f"sign-up {address}")
    hashed, code = login.hash_new_password(request.password, address), ids.new_secret()
    lifetime = LIFETIME if stack.settings.smtp_host else UNCONFIRMED_LIFETIME
    row = SignUpRow(
        email=address,
        name=request.name,
        password_hash=hashed,
        code_hash=ids.hash_secret(code),
        created=clock.now(),
        expires=clock.now() + lifetime,
    )
    with stack.database.writing(0) as tx:
        people.remove_expired(tx, clock.now())
        if people.count_sign_ups(tx) >= MAX_SIGN_UPS:
            raise TooManySignUps
        is_new = not management.find_user_by_email(tx, address)
        if is_new:
            people.put_sign_up(tx, row)
        _send(stack, tx, address, code, is_new=is_new)
    return SignedUp(email=address, confirmed_by="email" if stack.settings.smtp_host else "administrator")


def check_open(settings: Settings, address: str) -> None:
    domains = [each.lower().removeprefix("@") for each in settings.developer_sign_up_domains]
    if settings.developer_sign_up == "closed":
        raise SignUpClosed("This stack has no sign-up.")
    if domains and address.rpartition("@")[2] not in domains:
        raise SignUpClosed(f"Addresses of these domains may sign up: {', '.join(domains)}.")


def send_again(stack: Stack, visitor: Identity, email: str) -> None:
    """A new link, if the address has signed up; the older one stops working."""
    address = management.check_email(email)
    login.begin_reset(stack, visitor, f"sign-up {address}")
    code = ids.new_secret()
    with stack.database.writing(0) as tx:
        row = people.find_sign_up(tx, address)
        if row:
            people.put_sign_up(tx, msgspec.structs.replace(row, code_hash=ids.hash_secret(code)))
        _send(stack, tx, address, code, is_new=row is not None)


def _send(stack: Stack, tx: Transaction, address: str, code: str, *, is_new: bool) -> None:
    if not stack.settings.smtp_host:
        log.info("sign-up waits for an administrator", email=address)
        return
    sealed = stack.cipher.seal(code.encode(), SIGN_UP_SEALED_FOR).hex()
    hours = int(LIFETIME.total_seconds() // 3600)
    events.publish(tx, SignUpRequested(project_id=0, email=address, is_new=is_new, hours=hours, sealed_code=sealed))


def find_valid(tx: Transaction, email: str, code: str) -> SignUpRow:
    """The sign-up that a link is for; raises NotConfirmed."""
    row = people.find_sign_up(tx, email.strip().lower())
    is_right = row is not None and hmac.compare_digest(row.code_hash, ids.hash_secret(code))
    if not row or not is_right or row.expires <= clock.now():
        raise NotConfirmed
    return row


def confirm(tx: Transaction, visitor: Identity, row: SignUpRow) -> None:
    """The sign-up becomes a user."""
    people.remove_sign_up(tx, row.email)
    if not login.create_user(tx, visitor, row.email, row.name, row.password_hash):
        raise NotConfirmed


def confirm_for(tx: Transaction, by: Account, visitor: Identity, email: str) -> None:
    """Confirm a sign-up as an administrator, who knows that the address is theirs."""
    row = people.find_sign_up(tx, email.strip().lower())
    if not row:
        raise SignUpNotFound(email)
    confirm(tx, visitor, row)
    record(tx, by, "developer.signUpConfirmed", f"user {row.email}")
