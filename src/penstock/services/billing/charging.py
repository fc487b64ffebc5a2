"""Charges what was used: an entry of the ledger, and the totals with it, in the caller's transaction."""

from __future__ import annotations

from datetime import datetime

from penstock.foundation import clock
from penstock.foundation.database import Transaction
from penstock.foundation.prices import Prices
from penstock.services.billing import store
from penstock.services.billing.models import MINUTE, Account, EntryRow, Used
from penstock.services.billing.prices import Rate, compute_amount, find_rate


def charge(tx: Transaction, prices: Prices, used: Used) -> int | None:
    """The amount; None if this was charged before, or the project is not there. The transaction must write in the
    project of what was used."""
    account = store.find_account_for(tx, used.project_id, used.kind, used.reference)
    if not account or account.is_charged:
        return None
    now, rate = clock.now(), find_rate(prices, used)
    free = min(used.duration, count_free(prices, account, now)) if rate.hour else 0
    entry = _make_entry(used, rate, free, now, is_owed=account.is_pay_as_you_go)
    store.add_entry(tx, entry)
    return entry.amount


def count_free(prices: Prices, account: Account, now: datetime) -> int:
    """What is left of the free minutes of this month, in microseconds."""
    if not account.is_pay_as_you_go:
        return 0
    taken = (account.free or 0) if account.month == _month_of(account, now) else 0
    return max(round(prices.free_minutes * MINUTE) - taken, 0)


def _month_of(account: Account, now: datetime) -> str:
    """Never one before that of the account, also if a clock was set back."""
    return max(now.strftime("%Y-%m"), account.month or "")


def _make_entry(used: Used, rate: Rate, free: int, now: datetime, *, is_owed: bool) -> EntryRow:
    amount = compute_amount(rate, used.duration - free, used.bytes)
    return EntryRow(
        project_id=used.project_id,
        kind=used.kind,
        reference=used.reference,
        component=used.component,
        configuration=used.configuration,
        day=now.date().isoformat(),
        created=now,
        duration=used.duration,
        free=free,
        bytes=used.bytes,
        rows=used.rows,
        amount=amount,
        hour_price=rate.hour,
        gigabyte_price=rate.gigabyte,
        owed=amount if is_owed else 0,
    )
