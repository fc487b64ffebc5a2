"""Subscriptions: create, find, list, remove."""

from __future__ import annotations

from datetime import datetime

from penstock.foundation import clock, ids
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.strtotime import read_time
from penstock.services.notification.errors import InvalidSubscription, SubscriptionNotFound, TooManySubscriptions
from penstock.services.notification.models import (
    BRANCH,
    EVENTS,
    OF_JOBS,
    DeliveriesQuery,
    DeliveryRow,
    Filter,
    NewSubscription,
)
from penstock.services.notification.models import SubscriptionRow as Row
from penstock.services.notification.recipients import read_address
from penstock.services.notification.store import deliveries, subscriptions

MAX_SUBSCRIPTIONS = 1000
"""Of a project: an event is compared with each of them."""


def create_subscription(tx: Transaction, caller: Caller, new_subscription: NewSubscription) -> Row:
    if subscriptions.count_subscriptions(tx, caller.project_id) >= MAX_SUBSCRIPTIONS:
        raise TooManySubscriptions(MAX_SUBSCRIPTIONS)
    if new_subscription.event.startswith(OF_JOBS) and new_subscription.event not in EVENTS:
        raise InvalidSubscription(
            "event", f'"{new_subscription.event}" is not an event of jobs. Use one of {", ".join(EVENTS)}.'
        )
    row = Row(
        id=ids.new_id(tx),
        project_id=caller.project_id,
        event=new_subscription.event,
        filters=_with_branch(new_subscription.filters or [], caller.main_branch_id),
        channel=new_subscription.recipient.channel,
        address=read_address(new_subscription.recipient),
        creator_id=caller.token_id,
        created=clock.now(),
        expires=_read_expiration(new_subscription.expires_at),
    )
    subscriptions.add_subscription(tx, row)
    return row


def get_subscription(tx: Transaction, caller: Caller, subscription_id: str) -> Row:
    number = ids.read_id(subscription_id)
    found = None
    if number is not None:
        found = subscriptions.find_subscription(tx, caller.project_id, number, clock.now())
    if not found:
        raise SubscriptionNotFound(subscription_id)
    return found


def list_subscriptions(tx: Transaction, caller: Caller, event: str) -> list[Row]:
    return subscriptions.list_subscriptions(tx, caller.project_id, event, clock.now())


def remove_subscription(tx: Transaction, caller: Caller, subscription_id: str) -> None:
    row = get_subscription(tx, caller, subscription_id)
    subscriptions.remove_subscription(tx, caller.project_id, row.id)


def list_deliveries(
    tx: Transaction, caller: Caller, subscription_id: str | None, query: DeliveriesQuery
) -> list[DeliveryRow]:
    """List the deliveries of one subscription, or of the whole project."""
    number = get_subscription(tx, caller, subscription_id).id if subscription_id is not None else None
    return deliveries.list_deliveries(tx, caller.project_id, number, query)


def _with_branch(filters: list[Filter], main_branch_id: int) -> list[Filter]:
    """Add a filter on the default branch to filters without one on the branch."""
    if any(each.field == BRANCH for each in filters):
        return filters
    return [*filters, Filter(BRANCH, str(main_branch_id))]


def _read_expiration(text: str | None) -> datetime | None:
    if not text:
        return None
    time = read_time(text)
    if time is None:
        raise InvalidSubscription("expiresAt", f'"{text[:100]}" is not a valid time, such as "+24 hours".')
    if time <= clock.now():
        raise InvalidSubscription("expiresAt", f'"{text[:100]}" is in the past.')
    return time
