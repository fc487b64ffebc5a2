"""What Management asks of services above it. They are given to it when a stack is built, since it imports none of
them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

import msgspec

from penstock.foundation.callers import AnyCaller, Identity, SignedIn
from penstock.foundation.database import Transaction
from penstock.foundation.stack import Stack
from penstock.services.management.models.projects import Project
from penstock.services.management.models.tokens import MadeToken, NewStorageToken
from penstock.web.errors import Reply
from penstock.web.routing import Route


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


class PersonToken(Protocol):
    """A token of a person, as Login stores it."""

    @property
    def id(self) -> int: ...
    @property
    def description(self) -> str: ...
    @property
    def created(self) -> datetime: ...
    @property
    def expires(self) -> datetime | None: ...
    @property
    def last_used(self) -> datetime | None: ...
    @property
    def kind(self) -> str: ...


class Logins(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """What Login does for Management, and the rows with which people and programs sign in at its host."""

    routes: Callable[[], Sequence[Route]]
    errors_below: Mapping[str, Reply]
    authenticate_manager: Callable[[Stack, str], SignedIn]
    """Identify who sends a manage token or a token of a person."""
    find_token: Callable[[Transaction, int], PersonToken | None]
    begin_invitation: Callable[[Stack, Identity, str], None]
    """Count an e-mail to an address that an invitation will send; raises if there were too many."""
    remove_second_factor: Callable[[Transaction, Identity, int], object]
    forget_user: Callable[[Transaction, int], None]
    """Remove the password, the second factor, the links and the tokens of a user who is removed."""
