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

MAX_UNFINISHED = 10_000
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
    new = list_matching(tx, message)
    return len(add_deliveries(tx, message, [Destination(each.channel, each.address, each.id) for each in new]))


def list_matching(tx: Transaction, message: Message) -> list[SubscriptionRow]:
    """The subscriptions to be notified of it."""
    every = subscriptions.list_subscriptions(tx, message.project_id, message.event, clock.now())
    found = [each for each in every if all_match(each.filters, message.payload)]
    if not found or message.unique_id is None:
        return found
    notified = deliveries.list_notified(tx, [each.id for each in found], message.unique_id)
    return [each for each in found if each.id not in notified]


def add_deliveries(tx: Transaction, message: Message, destinations: Sequence[Destination]) -> list[DeliveryRow]:
    """Workers send them after the commit."""
    if not destinations:
        return []
    numbers = ids.new_ids(tx, len(destinations))
    rows = [_make_row(number, message, each) for number, each in zip(numbers, destinations, strict=True)]
    if deliveries.count_unfinished(tx, message.project_id) >= MAX_UNFINISHED:
        rows = [_refuse(row) for row in rows]
    deliveries.add_deliveries(tx, rows)
    return rows


def _make_row(number: int, message: Message, destination: Destination) -> DeliveryRow:
    return DeliveryRow(
        id=number,
        project_id=message.project_id,
        subscription_id=destination.subscription_id,
        event=message.event,
        channel=destination.channel,
        address=destination.address,
        content=msgspec.json.encode(message.payload),
        unique_id=message.unique_id if destination.subscription_id is not None else None,
        created_time=clock.now(),
    )


def _refuse(row: DeliveryRow) -> DeliveryRow:
    """The delivery log shows that it was not sent."""
    error = f"It was not sent: {MAX_UNFINISHED:,} earlier notifications of the project wait to be sent."
    log.warning("notification failed", project_id=row.project_id, delivery_id=row.id, reason=error)
    return msgspec.structs.replace(row, status="error", is_finished=True, end_time=row.created_time, error=error)
