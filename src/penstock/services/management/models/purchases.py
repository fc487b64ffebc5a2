"""Credits that were added to a project."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

import msgspec


class Purchase(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    project_id: int
    amount: Decimal
    description: str
    created: datetime
