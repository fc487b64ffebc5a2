"""How Management writes on the wire: camelCase, ids as numbers, times as text."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import msgspec

from penstock.foundation.structs import Wire

Number = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]
"""An id."""
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=255)]
ShortText = Annotated[str, msgspec.Meta(max_length=2000)]
MAX_SECONDS = 100 * 366 * 86_400
Seconds = Annotated[int, msgspec.Meta(ge=1, le=MAX_SECONDS)]


class Ref(Wire, frozen=True, kw_only=True):
    id: int
    name: str


def to_text(moment: datetime) -> str:
    """Format a time as `2026-11-15T08:30:00+0000`: no colon, no fraction."""
    return moment.strftime("%Y-%m-%dT%H:%M:%S+0000")


def to_text_or_none(moment: datetime | None) -> str | None:
    return to_text(moment) if moment else None
