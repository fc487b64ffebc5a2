"""Removes subscriptions that have expired, and old entries of the delivery log."""

from __future__ import annotations

from datetime import timedelta

from penstock.foundation import clock
from penstock.foundation.stack import Stack
from penstock.services.notification.store import deliveries, subscriptions

KEPT = timedelta(days=30)
GRACE = timedelta(days=1)
"""Deliveries of a subscription are sent while it exists, and some are retried."""


def maintain(stack: Stack) -> None:
    with stack.database.writing() as tx:
        subscriptions.remove_expired(tx, clock.now() - GRACE)
        deliveries.remove_ended(tx, clock.now() - KEPT)
