"""What the stack has to know of Login. Its rows are at the host of Management."""

from __future__ import annotations

from penstock.services.login.attempts import begin_invitation
from penstock.services.login.maintenance import remove_expired
from penstock.services.login.managers import authenticate_manager
from penstock.services.login.routes import ERRORS_BELOW, routes
from penstock.services.login.second_factor import remove_second_factor
from penstock.services.login.signing_in import forget_user
from penstock.services.login.store.tokens import find_token
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


def service() -> Service:
    return Service(id="login", name="Login", maintenance=[remove_expired])
