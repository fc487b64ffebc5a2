"""Audit entries of what callers of the Manage API change."""

from __future__ import annotations

from typing import Any

import msgspec

from penstock.foundation import audit
from penstock.foundation.callers import Identity
from penstock.foundation.database import Transaction


def record(tx: Transaction, caller: Identity, event: str, target: str, project_id: int = 0, **details: Any) -> None:
    entry = audit.NewEntry.of(caller, event, target, **details)
    audit.record(tx, msgspec.structs.replace(entry, project_id=project_id))
