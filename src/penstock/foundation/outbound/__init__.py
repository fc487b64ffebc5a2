"""The only gate to external hosts: every outgoing request goes through it, and a lint rule forbids any other way.

    async with Gate(Policy.from_environment()) as gate:
        response = await gate.send("GET", "https://api.example.com/users")

URLs in a configuration come from its author, who may not be the operator. So a name is resolved once, every address is
checked, the connection goes to a checked address, and each redirect is checked again. A policy lists the private hosts
that may be reached; by default none.

Other protocols, such as SSH, call `find_addresses` to get addresses they may connect to.

`send_once` is for a single small request.

A body that may be larger than memory goes into a sink: `gate.send("GET", url, into=sink)` calls its `write` for each
piece.

Synchronous code uses `call(coroutine)`. Errors are messages for users; `kind` is for retry policies.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from penstock.foundation.outbound.authorities import trusting
from penstock.foundation.outbound.errors import (
    Inflated,
    InvalidPolicy,
    Kind,
    OutboundError,
    Refused,
    TimedOut,
    TooLarge,
    Unreachable,
    UnusableBundle,
)
from penstock.foundation.outbound.headers import MARK, Headers, speaks_for_a_proxy
from penstock.foundation.outbound.policy import VARIABLE, Policy

if TYPE_CHECKING:
    from penstock.foundation.outbound.body import Sink
    from penstock.foundation.outbound.gate import Gate, Response, send_once
    from penstock.foundation.outbound.guard import find_addresses
    from penstock.foundation.outbound.loop import call
    from penstock.foundation.outbound.unused_proxy import explain_unused_proxy

__all__ = [
    "MARK",
    "VARIABLE",
    "Gate",
    "Headers",
    "Inflated",
    "InvalidPolicy",
    "Kind",
    "OutboundError",
    "Policy",
    "Refused",
    "Response",
    "Sink",
    "TimedOut",
    "TooLarge",
    "Unreachable",
    "UnusableBundle",
    "call",
    "explain_unused_proxy",
    "find_addresses",
    "send_once",
    "speaks_for_a_proxy",
    "trusting",
]

_ON_FIRST_USE = {
    "Gate": "gate",
    "Response": "gate",
    "Sink": "body",
    "call": "loop",
    "explain_unused_proxy": "unused_proxy",
    "find_addresses": "guard",
    "send_once": "gate",
}
"""Imported by whoever names them: a component that sends nothing would wait a tenth of a second for aiohttp."""


def __getattr__(name: str) -> Any:
    if name not in _ON_FIRST_USE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_ON_FIRST_USE[name]}"), name)
