"""Browsers in which a user has signed in before. Each has a signed cookie that says so, and its attempts are counted
separately: failed attempts from elsewhere do not lock the user out of it. The cookie alone authenticates nothing."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from penstock.foundation import clock, ids
from penstock.foundation.secrets import Cipher

COOKIE = "penstock_browser"
LIFETIME = timedelta(days=90)
MAX_CHARACTERS = 300
_PURPOSE = "browser"


def make_mark(cipher: Cipher, email: str) -> str:
    """What the cookie of a browser holds in which this user has just signed in."""
    number, time = ids.new_secret()[:32], str(int(clock.now().timestamp()))
    return f"{number}.{time}.{cipher.sign(_PURPOSE, number, time, _normalize(email))}"


def find_browser(cipher: Cipher, email: str, mark: str) -> str:
    """What the browser is counted by; empty if this user has not signed in there, or too long ago."""
    number, time, signature = [*mark.split("."), "", "", ""][:3]
    if len(mark) > MAX_CHARACTERS or not cipher.verifies(signature, _PURPOSE, number, time, _normalize(email)):
        return ""
    return number if datetime.fromtimestamp(int(time), UTC) + LIFETIME > clock.now() else ""


def _normalize(email: str) -> str:
    return email.strip().lower()
