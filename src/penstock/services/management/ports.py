"""What Management asks of services above it. They are given to it when a stack is built, since it imports none of
them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from penstock.foundation.callers import AnyCaller, Identity
from penstock.foundation.database import Transaction
from penstock.services.management.models.projects import Project
from penstock.services.management.models.tokens import MadeToken, NewStorageToken


class Usage(msgspec.Struct, frozen=True, kw_only=True):
    """What the tables of a project hold."""

    buckets: int = 0
    rows: int = 0
    size_bytes: int = 0


class Storage(msgspec.Struct, frozen=True, kw_only=True):
    """What Storage does for a project, in the transaction of the caller."""

    open_project: Callable[[Transaction, Project], None]
    """Give a new project its Main branch."""
    create_token: Callable[[Transaction, Identity, int, NewStorageToken], dict[str, Any]]
    """Create a token of a project; returns it with its text."""
    create_member_token: Callable[[Transaction, AnyCaller, int, NewStorageToken, str], dict[str, Any]]
    """Create a token for the calling user, a member of the project; returns it as `tokens/verify` shows it. Takes the
    URL of Storage."""
    list_made_tokens: Callable[[Transaction, int, int], list[MadeToken]]
    """The tokens of programs that a user has made in a project."""
    revoke_made_tokens: Callable[[Transaction, Identity, int, int], None]
    cut_links: Callable[[Transaction, int], None]
    """Remove the links between a project that leaves its organization and the other projects of it."""
    measure: Callable[[Transaction, Sequence[int]], dict[int, Usage]]
    """What these projects hold, by their ids; a project without buckets is not among them."""
