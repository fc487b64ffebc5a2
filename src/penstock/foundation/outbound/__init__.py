"""The one gate to other people's hosts: everything that calls out does it here, and a lint forbids any other way.

    async with Gate(Policy.from_environment()) as gate:
        answer = await gate.send("GET", "https://api.example.com/users")

What a configuration names as a URL is decided by its author, who may not be the operator. So a name is looked up once,
every address is checked, the connection goes to a checked address, and each redirect is checked again. A policy says
which private hosts may be reached; as it is made without arguments, none.

What is not HTTP, like an SSH connection, asks `find_addresses` where it may connect to.

A body that may be larger than memory goes into a sink: `gate.send("GET", url, into=sink)` calls its `write` for each
piece.

Plain functions use `call(coroutine)`. Errors are sentences for users; `kind` tells a retry policy what happened.
"""

from __future__ import annotations

from penstock.foundation.outbound.authorities import trusting
from penstock.foundation.outbound.body import Sink
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
from penstock.foundation.outbound.gate import Gate, Response
from penstock.foundation.outbound.guard import find_addresses
from penstock.foundation.outbound.headers import MARK, Headers, speaks_for_a_proxy
from penstock.foundation.outbound.loop import call
from penstock.foundation.outbound.policy import VARIABLE, Policy
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
    "speaks_for_a_proxy",
    "trusting",
]
