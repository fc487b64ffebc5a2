"""What a handler is given, and what it may answer with besides a model."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import msgspec

from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.jobs.waiting import Wait
from penstock.foundation.stack import Stack
from penstock.web.addresses import Addresses
from penstock.web.idempotency import IdempotentRequest
from penstock.web.listing import Listing

Authenticate = Callable[[Stack, str], Caller]
"""Turns the text of a token into who is asking, or raises Unauthorized."""

NOBODY = Caller(project_id=0, branch_id=0, token_id=0, description="nobody")


class Later(msgspec.Struct, frozen=True):
    """A response that is made when others have done their part. Everything is committed: no thread waits for it."""

    wait: Wait
    make: Callable[[], Any]


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """One request after its row was matched: who asks, with the path, query and body already read and typed."""

    stack: Stack
    addresses: Addresses
    services: tuple[Listing, ...] = ()
    """Every service of this stack, for those that list them."""
    caller: Caller = NOBODY
    token: str = ""
    content_type: str = ""
    path: dict[str, str] = {}
    query: Any = None
    body: Any = None
    once: IdempotentRequest | None = None
    """Of a request that may be sent again, and must be done once."""
    waits: list[Wait] = []
    """What the response is held back for, when everything is committed."""

    def reading(self) -> AbstractContextManager[Transaction]:
        return self.stack.database.reading()

    def writing(self) -> AbstractContextManager[Transaction]:
        return self.once.writing() if self.once else self.stack.database.writing()

    def commit(self) -> None:
        """Let others see what was done so far, although the response is not known yet."""
        if self.once:
            self.once.release()


class Text(msgspec.Struct, frozen=True):
    """A response that is not JSON."""

    content: str | bytes
    media_type: str
