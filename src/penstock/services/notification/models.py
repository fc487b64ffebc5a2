"""Subscriptions, recipients and deliveries as requested, stored and returned."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from penstock.foundation.constraints import matching
from penstock.foundation.limits import Filters

BRANCH = "branch.id"
"""A subscription without a filter on this field is for the default branch."""

# The last part: in Python `$` also matches before a line break at the end.
EVENT = r"^[A-Za-z][A-Za-z0-9._-]*$(?!\n)"
FIELD = r"^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$(?!\n)"
EventName = Annotated[
    str,
    matching(EVENT, "a name of letters, digits, dots, dashes and underscores", "job-failed", max_length=100),
]
EVENTS = tuple(
    f"{prefix}job-{end}"
    for prefix in ("", "phase-")
    for end in ("failed", "succeeded", "succeeded-with-warning", "processing-long")
)
"""Those of jobs. A name that does not begin like one of them is of what other programs push."""
OF_JOBS = ("job-", "phase-job-")
Channel = Literal["email", "webhook"]
Operator = Literal["==", "!=", ">", "<", ">=", "<="]
Scalar = str | int | float | bool


class Filter(msgspec.Struct, frozen=True):
    """A condition on a field of an event's payload, named by its path: `job.component.id`."""

    field: Annotated[str, matching(FIELD, "names with dots between them", "job.component.id", max_length=255)]
    """Path of a field in the payload of the event, such as `job.component.id` or `durationOvertimePercentage`."""
    value: Scalar
    """The value that the field is compared with."""
    operator: Operator = "=="
    """How they are compared."""


class Recipient(msgspec.Struct, frozen=True):
    """`url` is another name for the address of a webhook; both are returned."""

    channel: Channel
    """`email` or `webhook`."""
    address: str | UnsetType = UNSET
    """E-mail address, or the URL of a webhook."""
    url: str | UnsetType = UNSET
    """Another name of the address of a webhook."""


class NewSubscription(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """`projectId` may be sent and is ignored: the token names the project."""

    event: EventName
    """Name of the event, such as `job-failed`, `job-succeeded`, `job-succeeded-with-warning` or `job-processing-long`;
    with `phase-` before it, the same of a phase of a flow."""
    recipient: Recipient
    """Who is told."""
    filters: Filters[Filter] | None = None
    """Conditions on the event, all of which have to hold. Without one on `branch.id`, only events of the default branch
    count."""
    expires_at: str | None = None
    """When the subscription ends: a time such as `2026-01-31T10:00:00+00:00`, or a text such as `+24 hours`. Without
    it, never."""


class Subscription(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    id: str
    event: str
    project_id: str
    filters: list[Filter]
    recipient: Recipient
    expires_at: str | None
    created_at: str


class SubscriptionRow(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    project_id: int
    event: str
    filters: list[Filter]
    channel: Channel
    address: str
    creator_id: int
    created: datetime
    expires: datetime | None


class SubscriptionsQuery(msgspec.Struct, frozen=True):
    event: str = ""
    """Only subscriptions to this event."""


class DeliveriesQuery(msgspec.Struct, frozen=True):
    offset: Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)] = 0
    """How many deliveries are skipped before the first one that is returned."""
    limit: Annotated[int, msgspec.Meta(ge=1, le=500)] = 100
    """The highest number of deliveries to return."""


class DeliveryRow(msgspec.Struct, frozen=True, kw_only=True):
    """One notification to one recipient: what is sent, and how that went so far."""

    id: int
    project_id: int
    subscription_id: int | None
    """None for a notification that was sent directly."""
    event: str
    channel: Channel
    address: str
    content: bytes
    """The payload, as JSON."""
    unique_id: str | None = None
    """A subscription gets at most one notification with the same one."""
    error: str | None = None
    """Why the last attempt failed."""
    delayed_until: datetime | None = None
    refused_by: str | None = None
    """Identifies the settings of the stack that refused the last attempt."""
    refusals: int = 0
    """How many of the attempts settings have refused."""
    status: str = "created"
    is_finished: bool = False
    created_time: datetime
    end_time: datetime | None = None
    attempt: int = 0
    lost_leases: int = 0
    worker: str | None = None

    @property
    def payload(self) -> dict[str, Any]:
        return msgspec.json.decode(self.content)


class Delivery(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """An entry of the delivery log. `status` is created, waiting, processing, success or error."""

    id: str
    subscription_id: str | None
    event: str
    recipient: Recipient
    status: str
    attempts: int
    error: str | None
    created_at: str
    next_attempt_at: str | None
    ended_at: str | None


class WebhookSecret(msgspec.Struct, frozen=True):
    secret: str


def subscription_view(row: SubscriptionRow) -> Subscription:
    return Subscription(
        id=str(row.id),
        event=row.event,
        project_id=str(row.project_id),
        filters=row.filters,
        recipient=recipient_view(row.channel, row.address),
        expires_at=to_text(row.expires) if row.expires else None,
        created_at=to_text(row.created),
    )


def delivery_view(row: DeliveryRow) -> Delivery:
    return Delivery(
        id=str(row.id),
        subscription_id=str(row.subscription_id) if row.subscription_id is not None else None,
        event=row.event,
        recipient=recipient_view(row.channel, row.address),
        status=row.status,
        attempts=row.attempt,
        error=row.error,
        created_at=to_text(row.created_time),
        next_attempt_at=to_text(row.delayed_until) if row.delayed_until and not row.is_finished else None,
        ended_at=to_text(row.end_time) if row.end_time else None,
    )


def recipient_view(channel: Channel, address: str) -> Recipient:
    return Recipient(channel, address, address if channel == "webhook" else UNSET)


def to_text(time: datetime) -> str:
    """RFC 3339, in UTC."""
    return time.astimezone(UTC).isoformat(timespec="seconds")
