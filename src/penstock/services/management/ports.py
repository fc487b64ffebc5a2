"""What Management asks of services above it. They are given to it when a stack is built, since it imports none of
them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from penstock.foundation.callers import Identity
from penstock.foundation.database import Transaction
from penstock.services.management.models.projects import Project
from penstock.services.management.models.tokens import NewStorageToken


class Usage(msgspec.Struct, frozen=True, kw_only=True):
    """What the tables of a project hold."""

    buckets: int = 0
    rows: int = 0
    size_bytes: int = 0


class Storage(msgspec.Struct, frozen=True, kw_only=True):
    """What Storage does for a project, in the transaction of the caller."""

    open_project: Callable[[Transaction, Project], None]
    """Give a new project its Main branch."""
    create_token: Callable[[Transaction, Identity, int, NewStorageToken, int | None], dict[str, Any]]
    """Create a token of a project, or of a member of it if a user is given; returns it as clients see it, with its
    text."""
    cut_links: Callable[[Transaction, int], None]
    """Remove the links between a project that leaves its organization and the other projects of it."""
    measure: Callable[[Transaction, Sequence[int]], dict[int, Usage]]
    """What these projects hold, by their ids; a project without buckets is not among them."""
