"""What other services may call in Notification.

Nothing is sent in the caller's transaction: a delivery is committed with it, and a worker sends it afterwards.
"""

from __future__ import annotations

from typing import Any

import msgspec

from penstock.foundation import clock
from penstock.foundation.database import Transaction
from penstock.foundation.settings import Settings
from penstock.services.notification.channels.email import NOT_SET_UP
from penstock.services.notification.errors import InvalidRecipient
from penstock.services.notification.models import Channel
from penstock.services.notification.operations import sending
from penstock.services.notification.operations.sending import Destination, Message
from penstock.services.notification.recipients import check_address
from penstock.services.notification.store import subscriptions

__all__ = [
    "Channel",
    "DirectMessage",
    "find_problem",
    "is_awaited",
    "is_watched",
    "list_watched",
    "send_directly",
    "send_event",
]


class DirectMessage(msgspec.Struct, frozen=True, kw_only=True):
    """A message to one recipient, without a subscription."""

    project_id: int
    channel: Channel
    address: str
    data: dict[str, Any]
    """`project`, `title`, `message`, and what it is about: `flow`, `job`."""


def is_watched(tx: Transaction, project_id: int, event: str) -> bool:
    """Whether some subscription of the project is for this event; if not, nothing needs to be published."""
    return subscriptions.has_subscription(tx, project_id, event, clock.now())


def list_watched(tx: Transaction, events: list[str]) -> list[int]:
    """The projects that have a subscription to one of these events."""
    return subscriptions.list_projects(tx, events, clock.now())


def is_awaited(tx: Transaction, project_id: int, event: str, payload: dict[str, Any]) -> bool:
    """Whether send_event() would notify some subscription."""
    return bool(sending.list_matching(tx, Message(project_id=project_id, event=event, payload=payload)))


def send_event(tx: Transaction, project_id: int, event: str, payload: dict[str, Any]) -> int:
    """Notify the subscriptions of the project whose filters the payload fulfils; returns how many were notified.

    With a `uniqueId` in the payload, each subscription is notified of that id once.
    """
    return sending.send_event(tx, Message(project_id=project_id, event=event, payload=payload))


def find_problem(settings: Settings, channel: Channel, address: str) -> str:
    """Why nothing can be sent to this recipient; empty if it can be tried."""
    try:
        check_address(channel, address)
    except InvalidRecipient as error:
        return error.message
    return NOT_SET_UP if channel == "email" and not settings.smtp_host else ""


def send_directly(tx: Transaction, direct_message: DirectMessage) -> int:
    """Send a message to one recipient; returns the id of its delivery. Raises InvalidRecipient."""
    address = check_address(direct_message.channel, direct_message.address)
    message = Message(
        project_id=direct_message.project_id,
        event=f"direct-project-{direct_message.channel}",
        payload=direct_message.data,
    )
    return sending.add_deliveries(tx, message, [Destination(direct_message.channel, address)])[0].id
