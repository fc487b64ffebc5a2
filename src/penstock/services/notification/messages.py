"""Events and messages as programs of the operator push them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from penstock.foundation.constraints import matching
from penstock.foundation.limits import Tasks
from penstock.services.notification.models import Recipient

UniqueId = Annotated[
    str, matching(r"^[!-~]{1,255}$(?!\n)", "1 to 255 letters, digits and signs without spaces", "job-1")
]


class ProjectRef(msgspec.Struct, frozen=True, omit_defaults=True):
    id: str | int
    name: str = ""


class BranchRef(msgspec.Struct, frozen=True):
    id: str | int


class Named(msgspec.Struct, frozen=True, omit_defaults=True):
    id: str | int
    name: str = ""


class JobRef(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    id: str | int
    component: Named
    configuration: Named | UnsetType = UNSET
    url: str | UnsetType = UNSET
    tasks: Tasks[Any] | UnsetType = UNSET
    """Of a flow."""
    start_time: str | UnsetType = UNSET
    end_time: str | UnsetType = UNSET


class PushedEvent(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """An event that happened elsewhere."""

    project: ProjectRef
    branch: BranchRef
    job: JobRef
    phase: Named | UnsetType = UNSET
    error_message: str | UnsetType = UNSET
    average_duration: float | UnsetType = UNSET
    current_duration: float | UnsetType = UNSET
    duration_overtime_percentage: float | UnsetType = UNSET
    unique_id: UniqueId | int | UnsetType = UNSET


class Link(msgspec.Struct, frozen=True, omit_defaults=True):
    """A flow or a job, as people find it."""

    id: str | int
    name: str = ""
    url: str = ""


class DirectData(msgspec.Struct, frozen=True, kw_only=True):
    project: ProjectRef
    title: str
    message: str
    flow: Link | UnsetType = UNSET
    job: Link | UnsetType = UNSET


class NewNotification(msgspec.Struct, frozen=True, kw_only=True):
    type: Literal["direct-project-email", "direct-project-webhook"]
    recipient: Recipient
    data: DirectData


class NotificationId(msgspec.Struct, frozen=True):
    id: str
