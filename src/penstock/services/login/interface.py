"""What other services may call in Login."""

from __future__ import annotations

from penstock.foundation.database import Transaction
from penstock.services.login.attempts import begin_invitation, begin_reset
from penstock.services.login.first_administrator import get_user_or_first, make_link_of
from penstock.services.login.managers import authenticate_manager
from penstock.services.login.models import IssuedPersonalToken, MfaRequired, NewPersonalToken, PersonalToken
from penstock.services.login.oauth.models import SCOPES as OAUTH_SCOPES
from penstock.services.login.oauth.requests import PATH_OF_MCP
from penstock.services.login.oauth.requests import find_resource as find_mcp_resource
from penstock.services.login.other_services import (
    begin_sign_in,
    create_user,
    end_sign_in,
    find_owner,
    find_user_of,
    hash_new_password,
    is_signed_in,
    set_forgotten_password,
)
from penstock.services.login.people import Person, identify_person
from penstock.services.login.personal_tokens import create_token as create_personal_token
from penstock.services.login.personal_tokens import list_tokens as list_personal_tokens
from penstock.services.login.personal_tokens import revoke_token as revoke_personal_token
from penstock.services.login.resets import request_reset
from penstock.services.login.second_factor import Setup, confirm_setup, remove_second_factor, start_setup
from penstock.services.login.signing_in import forget_user, sign_in, sign_in_with_code
from penstock.services.management.interface import (
    ensure_administrator,
    find_first_super_admin,
    has_any_password,
)

__all__ = [
    "OAUTH_SCOPES",
    "PATH_OF_MCP",
    "IssuedPersonalToken",
    "MfaRequired",
    "NewPersonalToken",
    "Person",
    "PersonalToken",
    "Setup",
    "authenticate_manager",
    "begin_invitation",
    "begin_reset",
    "begin_sign_in",
    "confirm_setup",
    "create_personal_token",
    "create_user",
    "end_sign_in",
    "find_mcp_resource",
    "find_owner",
    "find_user_of",
    "forget_user",
    "get_user_or_first",
    "hash_new_password",
    "identify_person",
    "is_signed_in",
    "list_personal_tokens",
    "make_first_link",
    "make_link_of",
    "remove_second_factor",
    "request_reset",
    "revoke_personal_token",
    "set_forgotten_password",
    "sign_in",
    "sign_in_with_code",
    "start_setup",
]


def make_first_link(tx: Transaction, email: str) -> str | None:
    """The path of a link for the first administrator, as long as nobody can sign in with a password."""
    if has_any_password(tx):
        return None
    known = find_first_super_admin(tx) or ensure_administrator(tx, email)
    return make_link_of(tx, known.email)[1]
