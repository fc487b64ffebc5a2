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
    """Id of the project."""
    name: str = ""
    """Name of the project."""


class BranchRef(msgspec.Struct, frozen=True):
    id: str | int
    """Id of the branch."""


class Named(msgspec.Struct, frozen=True, omit_defaults=True):
    id: str | int
    """Id of it."""
    name: str = ""
    """Name that people see."""


class JobRef(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    id: str | int
    """Id of the job."""
    component: Named
    """The component that ran."""
    configuration: Named | UnsetType = UNSET
    """The configuration that ran, if it was a stored one."""
    url: str | UnsetType = UNSET
    """Address of the job, for people."""
    tasks: Tasks[Any] | UnsetType = UNSET
    """Tasks of a flow."""
    start_time: str | UnsetType = UNSET
    """When the job began, in ISO 8601."""
    end_time: str | UnsetType = UNSET
    """When the job ended, in ISO 8601."""


class PushedEvent(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """An event that happened elsewhere."""

    project: ProjectRef
    """The project that it happened in."""
    branch: BranchRef
    """The branch that it happened in."""
    job: JobRef
    """The job that it is about."""
    phase: Named | UnsetType = UNSET
    """The phase of a flow, for the events of phases."""
    error_message: str | UnsetType = UNSET
    """Why the job failed."""
    average_duration: float | UnsetType = UNSET
    """How long the configuration usually runs, in seconds."""
    current_duration: float | UnsetType = UNSET
    """How long the job has run, in seconds."""
    duration_overtime_percentage: float | UnsetType = UNSET
    """By how much it takes longer than usual: 0.2 is 20 %."""
    unique_id: UniqueId | int | UnsetType = UNSET
    """A subscription gets at most one notification with this id."""


class Link(msgspec.Struct, frozen=True, omit_defaults=True):
    """A flow or a job, as people find it."""

    id: str | int
    """Id of it."""
    name: str = ""
    """Name that people see."""
    url: str = ""
    """Its address, for people."""


class DirectData(msgspec.Struct, frozen=True, kw_only=True):
    project: ProjectRef
    """The project that the message is about."""
    title: str
    """Title of the message: the subject of an e-mail."""
    message: str
    """Text of the message."""
    flow: Link | UnsetType = UNSET
    """The flow that sends it."""
    job: Link | UnsetType = UNSET
    """The job of the flow."""


class NewNotification(msgspec.Struct, frozen=True, kw_only=True):
    type: Literal["direct-project-email", "direct-project-webhook"]
    """`direct-project-email` or `direct-project-webhook`."""
    recipient: Recipient
    """Who gets the message."""
    data: DirectData
    """What the message says."""


class NotificationId(msgspec.Struct, frozen=True):
    id: str
