"""What other services may call in Billing: charge what was used, and check that a project may use more."""

from __future__ import annotations

from datetime import datetime, timedelta

from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.stack import Stack
from penstock.services.billing import charging, operations
from penstock.services.billing.models import Balance, Kind, Used
from penstock.services.billing.operations import get_balance

__all__ = ["Balance", "Kind", "Used", "charge", "check_credits", "get_balance", "measure_duration"]


def charge(tx: Transaction, stack: Stack, used: Used) -> None:
    """Add an entry to the ledger, in the transaction in which the use ends; nothing if there is one already. The
    transaction must write in the project."""
    charging.charge(tx, stack.settings.prices, used)


def check_credits(tx: Transaction, stack: Stack, caller: Caller) -> None:
    """Raises NoCredits if the project pays as it goes and has used all it had. Without that feature there is no
    query."""
    operations.check_credits(tx, stack.settings.prices, caller)


def measure_duration(start: datetime, end: datetime) -> int:
    """Return the duration in microseconds, as entries have it; 0 if a clock was set back."""
    return max((end - start) // timedelta(microseconds=1), 0)
