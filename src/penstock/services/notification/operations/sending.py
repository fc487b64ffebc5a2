"""Turns a message into deliveries: one for each subscription that it matches, or one to a given address."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from penstock.foundation import clock, ids
from penstock.foundation.database import Transaction
from penstock.foundation.logging import Log
from penstock.services.notification.filters import all_match
from penstock.services.notification.models import Channel, DeliveryRow, SubscriptionRow
from penstock.services.notification.store import deliveries, subscriptions

log = Log("notification")

MOST_UNFINISHED = 10_000
"""Of a project. Beyond that its recipients cannot be reached, and what is sent later is of no use."""


class Message(msgspec.Struct, frozen=True, kw_only=True):
    project_id: int
    event: str
    payload: dict[str, Any]

    @property
    def unique_id(self) -> str | None:
        """A subscription is notified once of messages with the same one."""
        found = self.payload.get("uniqueId")
        return None if found is None else str(found)


class Destination(msgspec.Struct, frozen=True):
    channel: Channel
    address: str
    subscription_id: int | None = None


def send_event(tx: Transaction, message: Message) -> int:
    """Notify the subscriptions that match; returns how many were."""
    found = subscriptions.list_subscriptions(tx, message.project_id, message.event, clock.now())
    new = [each for each in found if all_match(each.filters, message.payload) and not _is_notified(tx, each, message)]
    return len(add_deliveries(tx, message, [Destination(each.channel, each.address, each.id) for each in new]))


def add_deliveries(tx: Transaction, message: Message, destinations: Sequence[Destination]) -> list[DeliveryRow]:
    """Workers send them after the commit."""
    if not destinations:
        return []
    rows = [_make_row(tx, message, each) for each in destinations]
    if deliveries.count_unfinished(tx, message.project_id) >= MOST_UNFINISHED:
        rows = [_refuse(row) for row in rows]
    for row in rows:
        deliveries.add_delivery(tx, row)
    return rows


def _make_row(tx: Transaction, message: Message, destination: Destination) -> DeliveryRow:
    return DeliveryRow(
        id=ids.new_id(tx),
        project_id=message.project_id,
        subscription_id=destination.subscription_id,
        event=message.event,
        channel=destination.channel,
        address=destination.address,
        content=msgspec.json.encode(message.payload),
        unique_id=message.unique_id if destination.subscription_id is not None else None,
        created_time=clock.now(),
    )


def _is_notified(tx: Transaction, subscription: SubscriptionRow, message: Message) -> bool:
    return message.unique_id is not None and deliveries.has_delivery(tx, subscription.id, message.unique_id)


def _refuse(row: DeliveryRow) -> DeliveryRow:
    """The delivery log shows that it was not sent."""
    error = f"It was not sent: {MOST_UNFINISHED:,} earlier notifications of the project wait to be sent."
    log.warning("notification not sent", project_id=row.project_id, delivery_id=row.id, reason=error)
    return msgspec.structs.replace(row, status="error", is_finished=True, end_time=row.created_time, error=error)
