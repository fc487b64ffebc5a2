"""Operator commands for accounts of the developer portal: create, list and remove them in a data folder."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import msgspec

from penstock.foundation.errors import Invalid
from penstock.server.data_folder import open_database
from penstock.services.developer import interface as developer
from penstock.settings import Settings


class Listed(msgspec.Struct, frozen=True, rename="camel"):
    """An account as commands list it: without its password."""

    username: str
    description: str
    vendors: list[str]
    is_admin: bool
    created: datetime


def create_account(
    settings: Settings, username: str, vendors: Sequence[str], *, is_admin: bool, description: str
) -> tuple[Listed, str]:
    """The new account, and its password, which no one can read again."""
    if not vendors and not is_admin:
        raise Invalid("An account without a vendor may do nothing. Name one with --vendor, or give --admin.")
    with open_database(settings) as database, database.writing(0) as tx:
        row, password = developer.create_account(tx, username, vendors, is_admin=is_admin, description=description)
    return _show(row), password


def list_accounts(settings: Settings) -> list[Listed]:
    with open_database(settings) as database, database.reading() as tx:
        return [_show(row) for row in developer.list_accounts(tx)]


def remove_account(settings: Settings, username: str) -> None:
    with open_database(settings) as database, database.writing(0) as tx:
        developer.remove_account(tx, username)


def _show(row: developer.AccountRow) -> Listed:
    return Listed(row.username, row.description, row.vendors, row.is_admin, row.created)
