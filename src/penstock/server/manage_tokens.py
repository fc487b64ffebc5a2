"""Operator commands for manage tokens: create, list and revoke them in a data folder."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import msgspec

from penstock.app import list_scopes
from penstock.foundation.errors import Invalid, NotFound
from penstock.server.data_folder import open_database
from penstock.services.management import interface as management
from penstock.settings import Settings


class Listed(msgspec.Struct, frozen=True, rename="camel"):
    """A manage token as commands list it: without its secret."""

    id: int
    description: str
    scopes: list[str]
    created: datetime
    expires: datetime | None
    is_expired: bool


def create_token(
    settings: Settings, description: str, scopes: Sequence[str], expires_in: int | None, email: str | None = None
) -> tuple[Listed, str]:
    """The new token, and its text, which no one can read again."""
    if not scopes and not email:
        raise Invalid("A manage token without a scope may do nothing. Name one with --scope, or a user with --user.")
    if scopes and email:
        raise Invalid("A manage token of a user may do what the user may, so it has no scopes. Drop --scope or --user.")
    management.check_scopes(scopes, list_scopes())
    with open_database(settings) as database, database.writing() as tx:
        user = management.find_user_by_email(tx, email) if email else None
        if email and not user:
            raise NotFound(f"There is no user {email}.")
        token, text = management.create_manage_token(tx, description, scopes, expires_in, user)
    return _show(token), text


def list_tokens(settings: Settings) -> list[Listed]:
    with open_database(settings) as database, database.reading() as tx:
        return [_show(token) for token in management.list_manage_tokens(tx)]


def revoke_token(settings: Settings, token_id: int) -> None:
    with open_database(settings) as database, database.writing() as tx:
        management.revoke_manage_token(tx, token_id)


def _show(token: management.ManageToken) -> Listed:
    return Listed(token.id, token.description, token.scopes, token.created, token.expires, token.is_expired)
