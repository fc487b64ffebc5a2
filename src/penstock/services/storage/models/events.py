"""Events as stored, requested and returned."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec

from penstock.foundation.structs import Wire
from penstock.services.storage.models import Number, to_text

EVENTS_SHOWN = 10_000
SECONDS_IN_A_CENTURY = 100 * 366 * 86_400


class EventRow(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    uuid: str
    project_id: int
    branch_id: int
    event: str
    type: str
    message: str
    component: str
    token_id: int
    token_description: str
    created: datetime
    description: str = ""
    run_id: str | None = None
    configuration_id: str | None = None
    object_id: str | None = None
    object_type: str | None = None
    params: Any = {}
    results: Any = {}
    context: dict[str, Any] = {}
    duration: int | None = None
    """Seconds."""


class NewEvent(msgspec.Struct, frozen=True, kw_only=True):
    """An event from another service."""

    message: str
    component: str
    type: str = "info"
    run_id: str | None = None
    configuration_id: str | None = None
    params: dict[str, Any] = {}


class SentEvent(Wire, frozen=True):
    """An event from a client. `params` and `results` are objects, or strings that contain JSON."""

    message: Annotated[str, msgspec.Meta(min_length=1)]
    """What happened, as a sentence."""
    component: Annotated[str, msgspec.Meta(min_length=1, max_length=255)]
    """Id of the component that it happened in."""
    type: Literal["info", "success", "warn", "error"] = "info"
    """How serious it is."""
    description: str = ""
    """More about it."""
    configuration_id: str | int | None = None
    """Id of the configuration that it happened in."""
    run_id: str | int | None = None
    """Id of the run that it belongs to. Without it, that of the header `X-KBC-RunId`."""
    params: Any = None
    """What was asked for: an object, or a text with JSON."""
    results: Any = None
    """What came of it: an object, or a text with JSON."""
    duration: Annotated[int, msgspec.Meta(ge=0, le=SECONDS_IN_A_CENTURY)] | None = None
    """How long it took, in seconds."""


class EventQuery(Wire, frozen=True):
    component: str = ""
    """Only events of this component."""
    configuration_id: str = ""
    """Only events of this configuration."""
    run_id: str = ""
    """Only events of this run and its children. For the log of a job it is the id of the job."""
    q: Annotated[str, msgspec.Meta(max_length=1000)] = ""
    """A search such as `message:"import of *" AND type:error`. Other text is searched for in the messages."""
    limit: Annotated[int, msgspec.Meta(ge=1, le=EVENTS_SHOWN)] = 100
    """The highest number of events to return."""
    offset: Number = 0
    since_id: str = ""
    """Only events after the one with this id."""
    max_id: str = ""
    """Only events before the one with this id."""
    sort_order: Literal["asc", "desc"] = "desc"
    """`desc` returns the newest first."""


class EventToken(msgspec.Struct, frozen=True):
    id: int
    name: str


class EventContext(Wire, frozen=True):
    """Strings, never null: one client accepts nothing else."""

    remote_addr: str = ""
    http_referer: str = ""
    http_user_agent: str = ""
    user_agent: str = ""
    api_version: str = "v2"
    is_async: bool = msgspec.field(default=False, name="async")


class StoredEvent(msgspec.Struct, frozen=True):
    """The response to an added event: no more fields, since some clients cannot parse what they sent."""

    id: str
    uuid: str


class Event(Wire, frozen=True):
    id: str
    uuid: str
    event: str
    component: str
    message: str
    description: str
    type: str
    run_id: str | None
    created: str
    configuration_id: str | None
    object_id: str | None
    object_name: str | None
    object_type: str | None
    context: EventContext
    params: Any
    results: Any
    performance: dict[str, int]
    token: EventToken
    id_branch: int
    uri: str
    attachments: list[Any] = []


def event_view(row: EventRow, storage_url: str) -> Event:
    return Event(
        id=str(row.id),
        uuid=row.uuid,
        event=row.event,
        component=row.component,
        message=row.message,
        description=row.description,
        type=row.type,
        run_id=row.run_id,
        created=to_text(row.created),
        configuration_id=row.configuration_id,
        object_id=row.object_id,
        object_name=row.object_id.rpartition(".")[2] if row.object_id else None,
        object_type=row.object_type,
        context=msgspec.convert(row.context, EventContext),
        params=row.params,
        results=row.results,
        performance={} if row.duration is None else {"duration": row.duration},
        token=EventToken(row.token_id, row.token_description),
        id_branch=row.branch_id,
        uri=f"{storage_url}/v2/storage/events/{row.uuid}",
    )
