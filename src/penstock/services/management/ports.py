"""What Management asks of services above it. They are given to it when a stack is built, since it imports none of
them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from penstock.foundation.database import Transaction
from penstock.services.management.models.projects import Project


class Usage(msgspec.Struct, frozen=True):
    """What the tables of a project hold."""

    rows: int
    size_bytes: int


class Storage(msgspec.Struct, frozen=True, kw_only=True):
    """What Storage does for a project, in the transaction of the caller."""

    open_project: Callable[[Transaction, Project], None]
    """Give a new project its Main branch."""
    create_token: Callable[[Transaction, int, dict[str, Any]], dict[str, Any]]
    """Create a token of a project, as `POST /manage/projects/{id}/tokens` asks for it; returns it with its text."""
    measure: Callable[[Transaction, int], Usage]
