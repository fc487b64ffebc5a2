"""The device flow (RFC 8628): a program shows a code, and a person enters it in a browser on another machine."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta

import msgspec

from penstock.foundation import audit, clock, ids
from penstock.foundation.callers import Identity
from penstock.foundation.database import Transaction
from penstock.foundation.stack import Stack
from penstock.services.login.attempts import begin_confirmation, forget_attempt
from penstock.services.login.errors import GrantError, TooManyWaiting, UnknownUserCode
from penstock.services.login.models import Device, TokenPair
from penstock.services.login.store import codes
from penstock.services.login.store.codes import Code
from penstock.services.login.tokens import issue_pair
from penstock.services.management.interface import find_user

LIFETIME, INTERVAL, SLOWER = timedelta(minutes=15), 5, 5
_LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
"""Without vowels, so that a code does not spell a word, and without letters that look like others."""


def start_device(tx: Transaction, client_id: str, page: str) -> Device:
    if codes.count_waiting(tx, "device") >= codes.MAX_WAITING:
        raise TooManyWaiting
    device_code, user_code = f"kbc_dc_{ids.new_secret()}", "".join(secrets.choice(_LETTERS) for _ in range(8))
    shown = f"{user_code[:4]}-{user_code[4:]}"
    row = Code(
        code_hash=codes.hash_code(device_code),
        kind="device",
        label=codes.hash_code(user_code),
        data={"client": client_id, "interval": INTERVAL, "status": "pending", "polled": ""},
        expires=clock.now() + LIFETIME,
    )
    codes.add_code(tx, row)
    return Device(
        device_code=device_code,
        user_code=shown,
        verification_uri=page,
        verification_uri_complete=f"{page}?userCode={shown}",
        expires_in=int(LIFETIME.total_seconds()),
        interval=INTERVAL,
    )


def find_waiting(stack: Stack, caller: Identity, user_code: str) -> Code:
    """The program that waits with a code. Wrong guesses count as attempts to sign in, also after a right one: after
    too many, right ones too are refused."""
    who = f"device code of {caller.description}"
    begin_confirmation(stack, caller, who)
    with stack.database.writing(0) as tx:
        found = _find_pending(tx, codes.hash_code(_read_typed(user_code)))
        forget_attempt(tx, caller, who)
    return found


def _read_typed(user_code: str) -> str:
    return "".join(letter for letter in user_code.upper() if letter in _LETTERS)


def _find_pending(tx: Transaction, label: str) -> Code:
    found = codes.find_by_label(tx, "device", label)
    if not found or found.data["status"] != "pending":
        raise UnknownUserCode
    return found


def decide(tx: Transaction, caller: Identity, user_id: int, code: Code, *, is_allowed: bool) -> None:
    """Raises UnknownUserCode if somebody else was faster."""
    code, status = _find_pending(tx, code.label), "allowed" if is_allowed else "denied"
    codes.change_code(tx, msgspec.structs.replace(code, user_id=user_id, data={**code.data, "status": status}))
    event = "login.authorized" if is_allowed else "login.denied"
    audit.record(tx, audit.NewEntry.of(caller, event, f"user {user_id}", program=code.data["client"]))


def poll_device(stack: Stack, device_code: str, client_id: str) -> TokenPair:
    """The tokens once the person has agreed; until then an error that says how to go on."""
    with stack.database.writing(0) as tx:
        code = codes.find_code(tx, "device", device_code)
        if not code or code.used or (client_id and client_id != code.data["client"]):
            raise GrantError("invalid_grant", "This device code is unknown here, or it was used before. Start again.")
        if not code.is_valid:
            raise GrantError("expired_token", "The device code has expired before anybody agreed. Start again.")
        if code.data["status"] == "denied":
            raise GrantError("access_denied", "The sign-in was refused in the browser.")
        user = find_user(tx, code.user_id) if code.data["status"] == "allowed" else None
        if user and codes.use_code(tx, code):
            return issue_pair(tx, user, str(code.data["client"]))
        is_too_fast, interval = _note_poll(tx, code)
    if is_too_fast:
        raise GrantError("slow_down", f"Wait {interval} seconds between two requests.", interval)
    raise GrantError("authorization_pending", "Nobody has agreed in the browser yet. Ask again.", interval)


def _note_poll(tx: Transaction, code: Code) -> tuple[bool, int]:
    """Whether it came too early, and how long to wait from now on."""
    interval, now = int(code.data["interval"]), clock.now()
    last = datetime.fromisoformat(code.data["polled"]) if code.data["polled"] else None
    is_too_fast = last is not None and now < last + timedelta(seconds=interval)
    interval = min(interval + SLOWER, 60) if is_too_fast else interval
    data = {**code.data, "polled": now.isoformat(), "interval": interval}
    codes.change_code(tx, msgspec.structs.replace(code, data=data))
    return is_too_fast, interval
