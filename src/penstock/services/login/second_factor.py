"""The second factor: codes of an authenticator app (TOTP, RFC 6238), and recovery codes for when it is lost."""

from __future__ import annotations

import hmac
import secrets

import msgspec

from penstock.foundation import audit, clock, ids
from penstock.foundation.callers import CALLERS, Identity
from penstock.foundation.database import Transaction
from penstock.foundation.secrets import Cipher, Scope
from penstock.foundation.stack import Stack
from penstock.services.login.errors import NoSecondFactor, SecondFactorExists, WrongCode
from penstock.services.login.store.codes import hash_code
from penstock.services.login.store.tokens import remove_tokens
from penstock.services.login.tokens import OF_SIGN_INS
from penstock.services.management.interface import Login, User, get_login, save_login

PERIOD, DRIFT = 30, 1
"""Seconds of a code, and how many periods a clock may be wrong."""
RECOVERY_CODES = 8
_SCOPE = Scope(0, "login", purpose="login")
_KEY = "#value"


class Setup(msgspec.Struct, frozen=True, rename="camel"):
    secret: str
    """For those who type it into the app."""
    uri: str
    """What a QR code for the app holds."""


def start_setup(tx: Transaction, cipher: Cipher, user: User, domain: str) -> Setup:
    """A new key. It is asked for at sign-ins once a code of it was confirmed."""
    import pyotp

    login = get_login(tx, user.id)
    if login.has_second_factor:
        raise SecondFactorExists
    secret = pyotp.random_base32()
    sealed = cipher.encrypt_text(secret, _SCOPE)
    save_login(tx, msgspec.structs.replace(login, totp_cipher=sealed, is_totp_confirmed=False, totp_step=0))
    app = pyotp.TOTP(secret, name=user.email, issuer=f"Penstock {domain}")
    return Setup(secret, app.provisioning_uri())  # pyright: ignore[reportUnknownMemberType]


def confirm_setup(
    tx: Transaction, cipher: Cipher, caller: Identity, user: User, code: str, keep_family: int
) -> list[str]:
    """The recovery codes, which are returned once. Every other sign-in than this one ends, since it was made without a
    code."""
    login = get_login(tx, user.id)
    if not login.totp_cipher or login.has_second_factor:
        raise NoSecondFactor
    step = _find_step(cipher, login, code)
    if step is None:
        raise WrongCode
    codes = [f"{secrets.token_hex(4)}-{secrets.token_hex(4)}" for _ in range(RECOVERY_CODES)]
    hashes = [hash_code(each) for each in codes]
    confirmed = msgspec.structs.replace(login, is_totp_confirmed=True, totp_step=step, recovery_hashes=hashes)
    save_login(tx, confirmed)
    remove_tokens(tx, user.id, OF_SIGN_INS, keep_family)
    audit.record(tx, audit.NewEntry.of(caller, "mfa.enabled", f"user {user.id}"))
    return codes


def remove_second_factor(tx: Transaction, caller: Identity, user_id: int) -> bool:
    """Whether there was one."""
    login = get_login(tx, user_id)
    if not login.totp_cipher:
        return False
    ids.count_change(tx, CALLERS)  # where an organization requires it, the user is refused from now on
    removed = msgspec.structs.replace(login, totp_cipher=None, is_totp_confirmed=False, recovery_hashes=[])
    save_login(tx, removed)
    audit.record(tx, audit.NewEntry.of(caller, "mfa.disabled", f"user {user_id}"))
    return True


def accept_code(tx: Transaction, stack: Stack, user_id: int, code: str) -> bool:
    """Whether it is right. It is not accepted a second time."""
    login = get_login(tx, user_id)
    step = _find_step(stack.cipher, login, code)
    if step is not None:
        save_login(tx, msgspec.structs.replace(login, totp_step=step))
        return True
    return _accept_recovery(tx, login, code)


def _find_step(cipher: Cipher, login: Login, code: str) -> int | None:
    """The period of the code; None if it is wrong, or not newer than the last accepted one."""
    import pyotp

    given, now = code.replace(" ", ""), int(clock.now().timestamp()) // PERIOD
    if not login.totp_cipher or not given.isascii() or not given.isdecimal():
        return None
    app = pyotp.TOTP(cipher.decrypt({_KEY: login.totp_cipher}, _SCOPE, "totp")[_KEY])
    steps = range(max(now - DRIFT, login.totp_step + 1), now + DRIFT + 1)
    return next((step for step in steps if hmac.compare_digest(app.generate_otp(step), given)), None)


def _accept_recovery(tx: Transaction, login: Login, code: str) -> bool:
    given = hash_code(code.strip().lower())
    left = [each for each in login.recovery_hashes if each != given]
    if len(left) == len(login.recovery_hashes):
        return False
    save_login(tx, msgspec.structs.replace(login, recovery_hashes=left))
    return True
