"""Operator command for credits of projects."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

from penstock.foundation.errors import Invalid
from penstock.server.data_folder import open_database
from penstock.server.projects import find_only_project
from penstock.services.billing import interface as billing
from penstock.services.management import interface as management
from penstock.settings import Settings


def add_credits(
    settings: Settings, amount: str, description: str, project_id: int | None
) -> tuple[management.Purchase, billing.Balance]:
    """Return the amount and the new balance. Without an id, they belong to the only project of the stack."""
    credits_added = _read_amount(amount)
    with open_database(settings) as database, database.writing() as tx:
        number = find_only_project(tx) if project_id is None else management.get_project(tx, project_id).id
        entry = management.add_credits(tx, number, credits_added, description)
        return entry, billing.get_balance(tx, settings.prices, number)


def _read_amount(text: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation:
        raise Invalid(f'"{text}" is not a number of credits. Write it as 10 or 0.5.') from None
