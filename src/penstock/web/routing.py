"""Rows of a route table: path, handler, body, answer and the right they need.

Authentication happens on the matched row, before the body is read. A row without a declared right does not exist:
`needs` has no default.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import msgspec

from penstock.foundation.callers import Right

Handler = Callable[..., Any]
"""Given the request; a streaming one is given the HTTP request too."""


class Route(msgspec.Struct, frozen=True, kw_only=True):
    method: str
    path: str
    handler: Handler
    needs: Right
    returns: Any = None
    body: type[Any] | None = None
    query: type[Any] | None = None
    status: int = 200
    refuses_query_with: int = 400
    refuses_body_with: int = 400
    """The statuses of a query and a body that cannot be read: contracts differ in them."""
    media_type: str = "application/json"
    streams: bool = False
    """Whether the handler is asynchronous, and reads the body and makes the response itself."""
    is_documented: bool = True
    """Whether it is part of the service's own API, and not of a protocol that others have described."""
    uses_lake: bool = False
    """Whether it reads tables, which may take long: such requests wait for each other, not others for them."""

    works_on_full_disk: bool = False
    """Whether it is done also while the stack is read-only. So is everything that reads or deletes."""

    is_remembered: bool = False
    """Whether its response depends on the token, the address and the database alone: made once, it is given again until
    the database changes."""

    is_repeatable: bool = False
    """Whether it makes something that its client asks for again when it never heard that it was made: see
    cut_responses.py."""

    @property
    def template(self) -> str:
        """The path as specifications write it."""
        return re.sub(r"\{(\w+):path\}", r"{\1}", self.path)

    @property
    def needs_room(self) -> bool:
        """Whether it is refused while the disk is full."""
        only_reads = self.method in ("GET", "HEAD", "DELETE") or self.needs is Right.PUBLIC
        return not only_reads and not self.works_on_full_disk

    @property
    def parameters(self) -> list[str]:
        return re.findall(r"\{(\w+)(?::path)?\}", self.path)


def get(path: str, handler: Handler, *, needs: Right, **rest: Any) -> Route:
    return Route(method="GET", path=path, handler=handler, needs=needs, **rest)


def post(path: str, handler: Handler, *, needs: Right, **rest: Any) -> Route:
    return Route(method="POST", path=path, handler=handler, needs=needs, **rest)


def put(path: str, handler: Handler, *, needs: Right, **rest: Any) -> Route:
    return Route(method="PUT", path=path, handler=handler, needs=needs, **rest)


def delete(path: str, handler: Handler, *, needs: Right, **rest: Any) -> Route:
    return Route(method="DELETE", path=path, handler=handler, needs=needs, **rest)
