"""The audit log of a project as requested and returned."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from penstock.foundation.audit import AuditEntry
from penstock.foundation.structs import Wire
from penstock.services.storage.models import Number, to_text

ENTRIES_SHOWN = 1000
Part = Annotated[str, msgspec.Meta(max_length=255)]


class AuditQuery(Wire, frozen=True):
    event: Part = ""
    """The event, or the beginning of its name up to a dot: `token` is every event of tokens."""
    actor: Part = ""
    """A part of the name of who did it."""
    before: Number | None = None
    """The id of the last entry of the page before."""
    limit: Annotated[int, msgspec.Meta(ge=1, le=ENTRIES_SHOWN)] = 100
    """The highest number of entries to return."""


class AuditView(Wire, frozen=True):
    id: int
    created: str
    event: str
    target: str
    details: dict[str, Any]
    actor: str
    """Who did it: the description of a token, the e-mail address of a user, or `operator`."""
    token_id: int | None
    address: str
    user_agent: str


def audit_view(entry: AuditEntry) -> AuditView:
    return AuditView(
        id=entry.id,
        created=to_text(entry.time),
        event=entry.event,
        target=entry.target,
        details=entry.details,
        actor=entry.actor,
        token_id=entry.token_id,
        address=entry.address,
        user_agent=entry.user_agent,
    )
