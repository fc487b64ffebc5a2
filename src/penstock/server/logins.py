"""Operator commands for people who sign in: links to set a password, and personal access tokens."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from penstock.foundation.callers import SignedIn
from penstock.foundation.constraints import explain_error
from penstock.foundation.errors import Invalid
from penstock.foundation.stacks import STORAGE
from penstock.server.data_folder import open_database
from penstock.server.running import read_running
from penstock.services.login import interface as login
from penstock.services.login.interface import IssuedPersonalToken, NewPersonalToken, PersonalToken
from penstock.settings import Settings
from penstock.web.addresses import Addresses

OPERATOR = SignedIn(scheme="operator", project_id=0, token_id=0, description="operator", subject="operator")


def make_link(settings: Settings, email: str | None) -> tuple[str, str]:
    """The e-mail address of the user, and a link with which it sets a new password, once."""
    with open_database(settings) as database, database.writing(0) as tx:
        user, path = login.make_link_of(tx, email)
    return user.email, f"{_find_address(settings)}{path}"


def _find_address(settings: Settings) -> str:
    """Return the address where people sign in: that of the running stack, else that of the settings."""
    running = read_running(settings.folder)
    if running and running.sign_in_url:
        return running.sign_in_url
    return Addresses("http", f":{settings.port}", settings.domain, settings.public_url).url_of(STORAGE)


def read_wanted(
    description: str, expires_in: int | None, projects: Sequence[int], *, only_reads: bool
) -> NewPersonalToken:
    fields = {"description": description, "expiresIn": expires_in, "projectIds": projects, "onlyReads": only_reads}
    try:
        return msgspec.convert(fields, NewPersonalToken)
    except msgspec.ValidationError as error:
        raise Invalid(f"This cannot be a personal access token. {explain_error(error)}") from error


def create_token(settings: Settings, email: str | None, request: NewPersonalToken) -> IssuedPersonalToken:
    with open_database(settings) as database, database.writing(0) as tx:
        user = login.get_user_or_first(tx, email)
        return login.create_personal_token(tx, OPERATOR, user.id, request)


def list_tokens(settings: Settings) -> list[PersonalToken]:
    with open_database(settings) as database, database.reading() as tx:
        return login.list_personal_tokens(tx)


def revoke_token(settings: Settings, token_id: int) -> None:
    with open_database(settings) as database, database.writing(0) as tx:
        login.revoke_personal_token(tx, OPERATOR, token_id)
