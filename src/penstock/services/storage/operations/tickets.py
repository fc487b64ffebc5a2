"""Tickets: numbers that are given out once, for whoever needs one; clients make run ids of them."""

from __future__ import annotations

from penstock.foundation import ids
from penstock.foundation.database import Transaction


def create_ticket(tx: Transaction) -> int:
    return ids.new_id(tx)
