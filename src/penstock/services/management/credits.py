"""Credits of projects with the feature `pay-as-you-go`: added here, spent in Billing."""

from __future__ import annotations

from decimal import Decimal

import msgspec

from penstock.foundation import audit, clock, ids
from penstock.foundation.callers import Identity
from penstock.foundation.database import Transaction
from penstock.foundation.errors import Invalid
from penstock.services.management.models.purchases import Purchase
from penstock.services.management.store import purchases

MAX_CREDITS = Decimal(1_000_000_000)
DIGITS = 6
"""After the point."""


class InvalidCredits(Invalid):
    def __init__(self, amount: Decimal) -> None:
        super().__init__(
            f"{amount} is not a valid number of credits. Write one between -{MAX_CREDITS:,} and {MAX_CREDITS:,}, "
            f"not 0, with at most {DIGITS} digits after the point."
        )


def add_credits(
    tx: Transaction, project_id: int, amount: Decimal, description: str, by: Identity | None = None
) -> Purchase:
    """Add credits to a project; a negative amount takes some away. Without `by`, the operator of the stack does."""
    if not amount.is_finite() or not amount or abs(amount) > MAX_CREDITS or amount != round(amount, DIGITS):
        raise InvalidCredits(amount)
    made = Purchase(
        id=ids.new_id(tx), project_id=project_id, amount=amount, description=description, created=clock.now()
    )
    purchases.add_purchase(tx, made)
    done = {"event": "credits.added", "target": f"credits {made.id}", "details": {"amount": str(amount)}}
    entry = audit.NewEntry.of(by, "", "") if by else audit.NewEntry(event="", project_id=0, target="")
    audit.record(tx, msgspec.structs.replace(entry, project_id=project_id, **done))
    return made


def sum_credits(tx: Transaction, project_id: int) -> Decimal:
    """All that were ever added, less those taken away."""
    return purchases.sum_purchases(tx, project_id)
