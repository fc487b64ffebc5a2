"""Tickets: unique numbers; clients use them as run ids."""

from __future__ import annotations

from penstock.foundation import ids
from penstock.foundation.database import Transaction


def create_ticket(tx: Transaction) -> int:
    return ids.new_id(tx)
