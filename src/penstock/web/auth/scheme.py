"""What an authentication scheme is."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec
from starlette.requests import Request as HttpRequest

from penstock.foundation.callers import AnyCaller, AnyRight, Right
from penstock.foundation.errors import Unauthorized
from penstock.foundation.stack import Stack

FindCaller = Callable[[Stack, str], AnyCaller]
"""Turns a credential into its caller, or raises Unauthorized."""

CheckObject = Callable[[Stack, AnyCaller, AnyRight, Mapping[str, str]], None]
"""Raises if the caller does not have the right for what the parameters of the path name."""

ExplainMissing = Callable[[HttpRequest], Unauthorized]
"""The error of a request without a credential."""


Challenge = Callable[[HttpRequest], str]
"""The header WWW-Authenticate of a request that is refused: it tells a client how to get a token."""


class Scheme(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    find_credential: Callable[[HttpRequest], str]
    """Empty if the request has none. Reads no body."""
    explain_missing: ExplainMissing
    find_caller: FindCaller
    rights: frozenset[AnyRight] = frozenset({Right.PUBLIC, Right.TOKEN})
    """What its callers may have. A row that needs another right is refused when the service is built."""
    takes_scopes: bool = False
    """Whether a credential may have the scopes of the rights that a service declares."""
    check_object: CheckObject | None = None
    """For rights that depend on what the path names. It reads the database, so it is called in a thread."""
    challenge: Challenge | None = None
    security: Mapping[str, str] = {}
    """The scheme in OpenAPI documents; empty if there is none."""
