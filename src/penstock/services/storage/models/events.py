"""Events as they are kept, asked for and shown."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec

from penstock.services.storage.models import Wire, to_text

EVENTS_SHOWN = 10_000


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
    params: dict[str, Any] = {}
    results: dict[str, Any] = {}


class NewEvent(msgspec.Struct, frozen=True, kw_only=True):
    """Something that happened, as another service tells it."""

    message: str
    component: str
    type: str = "info"
    run_id: str | None = None
    configuration_id: str | None = None


Number = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]
"""As large as an id can get."""


class EventQuery(Wire, frozen=True):
    component: str = ""
    configuration_id: str = ""
    run_id: str = ""
    q: str = ""
    limit: Annotated[int, msgspec.Meta(ge=1, le=EVENTS_SHOWN)] = 100
    offset: Number = 0
    since_id: Number | None = None
    max_id: Number | None = None
    sort_order: Literal["asc", "desc"] = "desc"


class EventToken(msgspec.Struct, frozen=True):
    id: int
    name: str


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
    params: dict[str, Any]
    results: dict[str, Any]
    token: EventToken
    id_branch: int
    uri: str
    context: dict[str, Any] = {}
    performance: dict[str, Any] = {}
    attachments: list[Any] = []


def show_event(row: EventRow, storage_url: str) -> Event:
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
        params=row.params,
        results=row.results,
        token=EventToken(row.token_id, row.token_description),
        id_branch=row.branch_id,
        uri=f"{storage_url}/v2/storage/events/{row.uuid}",
    )
