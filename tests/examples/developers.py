"""Requests of people at the developer portal: each has what it needs made for it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pyotp

from penstock.foundation import clock, ids
from penstock.services.developer.models.people import InvitationRow, SignUpRow
from penstock.services.developer.store import people
from penstock.services.login.interface import hash_new_password
from penstock.services.login.store import codes
from penstock.services.management.interface import User
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.developer.test_icons import make_png
from tests.unit.services.login.people import PASSWORD, sign_up
from tests.unit.services.world import World

Made = dict[str, Any]
"""Parts of a request: `body`, `values` of the path, and `headers`."""
Make = Callable[[ServicesOnly, World], Made]
DEE, CODE = "dee@example.com", "abcdefghijklmnop"


def _sign_up(services: ServicesOnly, email: str = DEE) -> Made:
    """A sign-up that waits."""
    now = clock.now()
    row = SignUpRow(
        email=email,
        name="Dee",
        password_hash=hash_new_password(PASSWORD, email),
        code_hash=ids.hash_secret(CODE),
        created=now,
        expires=now + timedelta(hours=1),
    )
    with services.stack.database.writing(0) as tx:
        people.put_sign_up(tx, row)
    return {"values": {"email": email, "code": CODE}}


def _waiting_user(services: ServicesOnly, _world: World) -> Made:
    _sign_up(services)
    return {"values": {"username": DEE}}


def _removed_user(services: ServicesOnly, _world: World) -> Made:
    return {"values": {"username": sign_up(services).email}}


def _confirmed(services: ServicesOnly, _world: World) -> Made:
    return _sign_up(services, "eve@example.com")


def _invitation(services: ServicesOnly, world: World) -> Made:
    user, now = sign_up(services), clock.now()
    row = InvitationRow(
        vendor_id=world.main["developer.vendor"],
        email=user.email,
        code_hash=ids.hash_secret(CODE),
        created=now,
        expires=now + timedelta(days=1),
        created_by="ann",
    )
    with services.stack.database.writing(0) as tx:
        people.put_invitation(tx, row)
    return {"values": {"vendor": row.vendor_id, "email": user.email, "code": CODE}, "body": {}}


def _forgotten(services: ServicesOnly, _world: World) -> Made:
    user, expires = sign_up(services), clock.now() + timedelta(minutes=5)
    code = codes.Code(code_hash=codes.hash_code(CODE), kind="reset", user_id=user.id, expires=expires)
    with services.stack.database.writing(0) as tx:
        codes.add_code(tx, code)
    return {"values": {"email": user.email}, "body": {"code": CODE, "password": f"{PASSWORD} staple"}}


def _log_in(services: ServicesOnly, user: User) -> Http:
    portal = Http(services.service("developer").base)
    token = portal.post("/auth/login", {"email": user.email, "password": PASSWORD}).json["token"]
    return Http(portal.base, headers={"Authorization": token})


def _as_user(services: ServicesOnly, _world: World) -> Made:
    return {"headers": _log_in(services, sign_up(services)).headers}


def _confirm_factor(services: ServicesOnly, _world: World) -> Made:
    client = _log_in(services, sign_up(services))
    secret = client.post("/auth/mfa").json["secret"]
    return {"headers": client.headers, "body": {"code": pyotp.TOTP(secret).at(clock.now())}}


def _icon(services: ServicesOnly, world: World) -> Made:
    vendor, app = world.main["developer.vendor"], world.main["developer.app"]
    base = services.service("developer").base
    admin = Http(base, headers={"Authorization": world.developer_tokens["developer token"]})
    link = admin.post(f"/vendors/{vendor}/apps/{app}/icon").json["link"]
    return {
        "values": {"ticket": link.rpartition("/")[2]},
        "content": make_png(),
        "headers": {"Content-Type": "image/png"},
    }


def _shown_icon(services: ServicesOnly, world: World) -> Made:
    made = _icon(services, world)
    base = services.service("developer").base
    shown = Http(base).send("PUT", f"/icons/uploads/{made['values']['ticket']}", made["content"]).json["icon64"]
    return {"values": {"checksum": shown.rpartition("/")[2]}}


REQUESTS: dict[str, Make] = {
    "POST /auth/signup": lambda *_: {"body": {"email": "new-dee@example.com", "password": PASSWORD, "name": "Dee"}},
    "POST /auth/confirm": lambda *_: {"body": {"email": DEE}},
    "GET /auth/confirm/{email}/{code}": _confirmed,
    "POST /auth/confirm/{email}/{code}": _confirmed,
    "POST /auth/forgot/{email}/confirm": _forgotten,
    "POST /auth/mfa": _as_user,
    "POST /auth/mfa/confirm": _confirm_factor,
    "POST /vendors/{vendor}/users": _as_user,
    "GET /vendors/{vendor}/invitations/{email}/{code}": _invitation,
    "POST /vendors/{vendor}/invitations/{email}/{code}": _invitation,
    "GET /icons/{checksum}": _shown_icon,
    "POST /admin/users/{username}/confirm": _waiting_user,
    "DELETE /admin/users/{username}": _removed_user,
}
