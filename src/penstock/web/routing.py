"""Rows of a route table: method, path, handler and the right that it needs.

What comes in and what goes out is said by the handler's own signature, see signatures.py. A route without a declared
right does not exist: `needs` has no default. The right is checked on the matched route, before the body is read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum
from typing import Any, TypedDict, Unpack

import msgspec

from penstock.foundation.callers import AnyRight, Right
from penstock.web.auth.scheme import Scheme
from penstock.web.signatures import Handler, path_parameters, read_signature


class Document(Enum):
    """A response that is the same for all callers: it depends on the arguments and the address of the request, and on
    what is named here. It is made once, and its bytes are kept."""

    PROGRAM = "the program"
    DATABASE = "the database"


class Route(msgspec.Struct, frozen=True, kw_only=True):
    method: str
    path: str
    handler: Handler
    needs: AnyRight
    auth: Scheme | None = None
    """How its requests prove who sends them, if not as those of the whole service."""
    query: type[msgspec.Struct] | None = None
    body: type[msgspec.Struct] | None = None
    form: type[msgspec.Struct] | None = None
    """What the handler reads from a form without a model, for the OpenAPI document."""
    returns: Any = None
    accepted: Any = None
    """What it returns with the status 202, if it does so too."""
    may_be_empty: bool = False
    """Whether it may return nothing instead, with the status 204."""
    streams: bool = False
    """Whether the handler reads the body and makes the response itself."""
    is_async: bool = False
    """Whether the handler runs in the event loop, and not in a thread."""

    status: int = 200
    """501 if it is a part of the contract that this stack does not implement."""
    refuses_query_with: int = 400
    refuses_body_with: int = 400
    """The statuses of a query and a body that cannot be read: contracts differ in them."""
    media_type: str = "application/json"
    takes: tuple[str, ...] = ()
    """The content types of a body that the handler reads itself."""
    is_documented: bool = True
    """Whether it is part of the service's own API, and not of a protocol that is specified elsewhere."""
    uses_lake: bool = False
    """Whether it reads tables, which may take long: such requests have their own threads."""
    only_reads: bool = False
    """Whether it changes nothing that is stored, although it is not a GET: exports, previews, checks of a text. Members
    whose role only reads may send it."""
    is_for_readers: bool = False
    """Whether members whose role only reads may send it although it writes: it makes or ends what they read with. The
    operation refuses them what is not their own."""
    is_confidential: bool = False
    """Whether guests may not read it, although it needs no more than a token."""
    works_on_full_disk: bool = False
    """Whether it works while the stack is read-only. Everything that reads or deletes does."""
    is_cached: bool = False
    """Whether its response depends only on the token, the address and the database: it is cached until the database
    changes."""
    document: Document | None = None
    """Set if its response is one, as long as the row is public; its handler is not async."""
    is_signed: bool = False
    """Whether its address holds a signature, which the handler checks: it needs no token, but is not anonymous."""
    is_for_any_site: bool = False
    """Whether forms of any site may send it without a token: its body has one."""
    title: str = ""
    """A verb phrase for lists of operations, where the name of the handler is none: see titles.py."""
    twin: str = ""
    """The template of the same row without a branch, if it is one within a branch."""
    describes: Mapping[str, str] = {}
    """What parameters of the path or the query mean, by name, where the glossary does not say it."""

    @property
    def template(self) -> str:
        """The path as specifications write it."""
        return re.sub(r"\{(\w+):path\}", r"{\1}", self.path)

    @property
    def writes(self) -> bool:
        return self.method not in ("GET", "HEAD") and not self.only_reads

    @property
    def needs_room(self) -> bool:
        """Whether it is refused while the disk is full."""
        takes_none = self.method in ("GET", "HEAD", "DELETE") or self.needs is Right.PUBLIC
        return not takes_none and not self.works_on_full_disk

    @property
    def parameters(self) -> list[str]:
        return path_parameters(self.path)


class Options(TypedDict, total=False):
    """What a route may add; Route explains each of them."""

    returns: Any
    """Only where the documented model is not the one that the handler is annotated with."""
    auth: Scheme
    form: type[msgspec.Struct]
    status: int
    refuses_query_with: int
    refuses_body_with: int
    media_type: str
    takes: tuple[str, ...]
    is_documented: bool
    uses_lake: bool
    only_reads: bool
    is_for_readers: bool
    is_confidential: bool
    works_on_full_disk: bool
    is_cached: bool
    document: Document
    is_signed: bool
    is_for_any_site: bool
    title: str
    twin: str
    describes: Mapping[str, str]


def get(path: str, handler: Handler, *, needs: AnyRight, **options: Unpack[Options]) -> Route:
    return _make_route("GET", path, handler, needs, options)


def post(path: str, handler: Handler, *, needs: AnyRight, **options: Unpack[Options]) -> Route:
    return _make_route("POST", path, handler, needs, options)


def put(path: str, handler: Handler, *, needs: AnyRight, **options: Unpack[Options]) -> Route:
    return _make_route("PUT", path, handler, needs, options)


def patch(path: str, handler: Handler, *, needs: AnyRight, **options: Unpack[Options]) -> Route:
    return _make_route("PATCH", path, handler, needs, options)


def delete(path: str, handler: Handler, *, needs: AnyRight, **options: Unpack[Options]) -> Route:
    return _make_route("DELETE", path, handler, needs, options)


def _make_route(method: str, path: str, handler: Handler, needs: AnyRight, options: Options) -> Route:
    signature = read_signature(handler, path)
    route = Route(
        method=method,
        path=path,
        handler=handler,
        needs=needs,
        query=signature.query,
        body=signature.body,
        returns=signature.returns,
        accepted=signature.accepted,
        may_be_empty=signature.may_be_empty,
        streams=signature.streams,
        is_async=signature.is_async,
    )
    return msgspec.structs.replace(route, **options)
