"""Icons of apps: uploaded as PNG to an address that is signed for a few minutes, and shown to everybody."""

from __future__ import annotations

import hashlib
import struct
from datetime import timedelta

from penstock.foundation import clock
from penstock.foundation.callers import Identity, SignedIn
from penstock.foundation.database import Transaction
from penstock.foundation.secrets import Cipher
from penstock.foundation.stack import Stack
from penstock.services.developer.errors import IconNotFound, InvalidToken, NotAnIcon
from penstock.services.developer.models.accounts import Account
from penstock.services.developer.models.apps import AppChange, Versioned
from penstock.services.developer.operations import apps
from penstock.services.developer.operations.signed_in import find_account_now
from penstock.services.developer.operations.tokens import Claims, read_token, sign_token
from penstock.services.developer.store import icons

LIFETIME = timedelta(minutes=10)
MAX_BYTES = 500_000
MIN_PIXELS, MAX_PIXELS = 32, 2048
_PNG = b"\x89PNG\r\n\x1a\n"


def make_ticket(cipher: Cipher, caller: Identity, app_id: str) -> str:
    """What the address of an upload ends with."""
    assert isinstance(caller, SignedIn)
    now = int(clock.now().timestamp())
    end = now + int(LIFETIME.total_seconds())
    claims = Claims(sub=caller.subject, jti=caller.user_id, iat=now, exp=end, use="icon", app=app_id)
    return sign_token(cipher, claims)


def authenticate(stack: Stack, ticket: str) -> SignedIn:
    claims = read_token(stack.cipher, ticket, "icon")
    return SignedIn(
        scheme="icon ticket",
        project_id=0,
        token_id=claims.iat,
        description=claims.sub,
        subject=claims.sub,
        user_id=claims.jti,
    )


def set_icon(tx: Transaction, stack: Stack, caller: SignedIn, ticket: str, content: bytes, url: str) -> Versioned:
    """A new version of the app with this icon, in both sizes: browsers scale it. `url` is that of all icons."""
    app_id = read_token(stack.cipher, ticket, "icon").app
    check_png(content)
    account: Account | None = find_account_now(tx, caller)
    if not account:
        raise InvalidToken
    checksum = hashlib.sha256(content).hexdigest()
    if not icons.find_icon(tx, checksum):
        icons.add_icon(tx, checksum, content, clock.now())
    address = f"{url}/{checksum}"
    change = AppChange(icon32=address, icon64=address)
    return apps.change_app(tx, account, app_id.partition(".")[0], app_id, change)


def check_png(content: bytes) -> None:
    """Raises NotAnIcon for anything but a square PNG of a sensible size."""
    if not content.startswith(_PNG) or content[12:16] != b"IHDR" or len(content) < 24:
        raise NotAnIcon("is not a PNG file")
    width, height = struct.unpack(">II", content[16:24])
    if width != height or not MIN_PIXELS <= width <= MAX_PIXELS:
        raise NotAnIcon(f"has {width} × {height} pixels; it must be square, with {MIN_PIXELS} to {MAX_PIXELS} a side")


def get_icon(tx: Transaction, checksum: str) -> bytes:
    content = icons.find_icon(tx, checksum)
    if content is None:
        raise IconNotFound
    return content
