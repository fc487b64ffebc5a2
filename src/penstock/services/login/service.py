"""What the stack has to know of Login. Its rows are at the host of Management."""

from __future__ import annotations

from datetime import timedelta

from penstock.foundation import clock
from penstock.foundation.stack import Stack
from penstock.services.login.attempts import WINDOW, begin_invitation
from penstock.services.login.managers import authenticate_manager
from penstock.services.login.routes import ERRORS_BELOW, routes
from penstock.services.login.second_factor import remove_second_factor
from penstock.services.login.signing_in import forget_user
from penstock.services.login.store import attempts, clients, codes, tokens
from penstock.services.login.store.tokens import find_token
from penstock.services.login.tokens import REFRESH
from penstock.services.management.interface import Logins
from penstock.web.service import Service

FOR_MANAGEMENT = Logins(
    routes=routes,
    errors_below=ERRORS_BELOW,
    authenticate_manager=authenticate_manager,
    find_token=find_token,
    begin_invitation=begin_invitation,
    remove_second_factor=remove_second_factor,
    forget_user=forget_user,
)

KEPT = timedelta(days=1)
"""So that whoever comes late learns that it has expired, and a code that comes twice is noticed."""


def service() -> Service:
    return Service(id="login", name="Login", maintenance=[remove_expired])


def remove_expired(stack: Stack) -> None:
    now = clock.now()
    with stack.database.writing(0) as tx:
        codes.remove_expired(tx, now - KEPT)
        tokens.remove_expired(tx, now - KEPT)
        attempts.remove_old(tx, now - 2 * WINDOW)
        # Whatever a program got has expired by then.
        clients.remove_old(tx, now - KEPT, now - REFRESH - KEPT)
