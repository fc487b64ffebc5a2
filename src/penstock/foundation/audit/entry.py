"""Entries of the audit log."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec

from penstock.foundation.callers import Identity


class NewEntry(msgspec.Struct, frozen=True, kw_only=True):
    """Something to record. No field holds a secret: what is used is named, not shown."""

    event: str
    """What happened, as `secret.used` or `token.created`."""
    project_id: int
    target: str
    """What it happened to, as `token 12`."""
    details: dict[str, Any] = {}
    token_id: int | None = None
    """The token of the caller; None for the operator of the stack."""
    actor: str = "operator"
    """The description of that token."""
    address: str = ""
    """Where the request came from; empty for work that continues after it."""
    user_agent: str = ""

    @classmethod
    def of(cls, caller: Identity, event: str, target: str, **details: Any) -> NewEntry:
        """What a caller did in its project."""
        return cls(
            event=event,
            project_id=caller.project_id,
            target=target,
            details=details,
            token_id=caller.token_id or None,
            actor=caller.description,
            address=caller.origin.address if caller.origin else "",
            user_agent=caller.origin.user_agent if caller.origin else "",
        )


class AuditEntry(NewEntry, frozen=True, kw_only=True):
    id: int
    """Larger ones are later."""
    time: datetime


class AuditFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Selects entries: all of the given must match."""

    project_id: int | None = None
    token_id: int | None = None
    event: str = ""
    """The event, or the beginning of its name up to a dot: `token` is every event of tokens."""
    actor: str = ""
    """A part of who did it, in any case."""
    before: int | None = None
    """Only entries with smaller ids: the next page."""
    since: datetime | None = None
    until: datetime | None = None
    limit: int = 100
