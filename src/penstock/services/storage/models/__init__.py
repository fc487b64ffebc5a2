"""What Storage receives, stores and returns; one file per resource."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import msgspec


def to_text(moment: datetime) -> str:
    """Format a time as `2026-11-15T08:30:00+0000`: no colon, no fraction. Clients validate it by pattern."""
    # A long listing formats thousands of them, and strftime takes four times as long.
    return f"{moment.isoformat()[:19]}+0000"


Number = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]
"""The largest id."""


class TokenRef(msgspec.Struct, frozen=True):
    """The token that created something."""

    id: int
    description: str
