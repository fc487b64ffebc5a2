"""What a handler is given first, and what it may return instead of a model."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Generic, TypeVar

import msgspec

from penstock.foundation.callers import NOBODY, AnyCaller, Caller
from penstock.foundation.database import Transaction
from penstock.foundation.jobs.waiting import Wait
from penstock.foundation.stack import Stack
from penstock.web.addresses import Addresses
from penstock.web.idempotency import IdempotentRequest
from penstock.web.listing import Listing

T = TypeVar("T")


class Later(msgspec.Struct, Generic[T], frozen=True):
    """A response that is made after a wait. Everything is committed before, and no thread is held during the wait."""

    wait: Wait
    make: Callable[[], T]


class Accepted(msgspec.Struct, Generic[T], frozen=True):
    """A response with the status 202, from a row that usually has another one: the work is a job."""

    content: T


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """What every handler needs. Path, query and body are arguments of the handlers that take them."""

    stack: Stack
    addresses: Addresses
    services: tuple[Listing, ...] = ()
    """Every service of this stack, for those that list them."""
    identity: AnyCaller = NOBODY
    """Who sent it."""
    token: str = ""
    """The credential that proved it."""
    content_type: str = ""
    if_match: str = "*"
    """The version that it may change; `*` is any."""
    once: IdempotentRequest | None = None
    """Set if the request may be sent again and must be carried out once."""
    waits: list[Wait] = []
    """What the response is held back for, after everything is committed."""

    @property
    def caller(self) -> Caller:
        """The sender, in a service whose scheme is the Storage token."""
        assert isinstance(self.identity, Caller)
        return self.identity

    def reading(self) -> AbstractContextManager[Transaction]:
        """Sees what this request has written."""
        return (self.once and self.once.reading()) or self.stack.database.reading()

    def writing(
        self, *, across_projects: bool = False, project_id: int | None = None
    ) -> AbstractContextManager[Transaction]:
        """Changes rows of the caller's project, or of another one that it names; those of several projects only with
        `across_projects`, and then no other request of the stack writes in the meantime."""
        if not across_projects:
            project_id = self.identity.project_id if project_id is None else project_id
        return self.once.writing(project_id) if self.once else self.stack.database.writing(project_id)

    def commit(self) -> None:
        """Make what was done so far visible to others, although the response is not known yet."""
        if self.once:
            self.once.release()


class Text(msgspec.Struct, frozen=True):
    """A response that is not JSON."""

    content: str | bytes
    media_type: str
