"""Errors of outgoing requests: messages for users that name the host, the cause and how to fix it.

    OutboundError
    ├── Refused        nothing was sent: a private address, or an unsafe URL
    ├── Unreachable    the connection failed, or the response was not valid HTTP
    ├── TimedOut       the host was too slow
    ├── TooLarge       the response is larger than the caller's limit
    │   └── Inflated   it is small and unpacks to something huge
    └── InvalidPolicy  the settings of the gate are not valid, so everything is refused

`kind` is the machine-readable cause, for retry policies. Messages name hosts and ports, never paths or queries, which
may contain secrets.
"""

from __future__ import annotations

from typing import Literal

Kind = Literal[
    "resolve",  # the name does not exist
    "connect",  # refused, or no route to the host
    "handshake",  # the two sides do not agree on TLS
    "certificate",  # the host's certificate is not trusted
    "bundle",  # the certificates to trust cannot be read
    "empty",  # the host closed the connection without sending a byte
    "receive",  # the connection was lost before the head of the response was complete
    "cut",  # the connection, or its data, ended in the middle of the body
    "redirects",  # too many of them
    "protocol",  # the response is not HTTP, or not encoded as declared
    "timeout",
    "refused",
    "too-large",
]


class OutboundError(Exception):
    """An outgoing request that failed, with a message for the user.

    `status` and `body` are what had arrived when a response was cut short: 0 and empty in all other cases.
    """

    kind: Kind
    status: int = 0
    body: bytes = b""


class Refused(OutboundError):
    kind: Kind = "refused"


class RefusedBySettings(Refused):
    """Another setting of the stack would permit it."""


class PrivateAddress(RefusedBySettings):
    def __init__(self, host: str, address: str) -> None:
        where = f"{host} is a private address" if host == address else f"{host} is at {address}, a private address"
        super().__init__(
            f"{where}, which this stack does not let jobs reach. "
            f"If that is intended, allow it: start the stack with --allow-host {host}."
        )


class MetadataAddress(Refused):
    def __init__(self, host: str) -> None:
        super().__init__(
            f"{host} is at the address of a cloud's metadata service, which gives out credentials of the machine. "
            "This stack never lets jobs reach it, also if its address is allowed."
        )


class OwnService(RefusedBySettings):
    def __init__(self, host: str) -> None:
        super().__init__(
            f"{host} is this stack itself, whose services jobs do not call, also if its address is allowed. "
            "A component that needs Storage gets an address and a token for it with `forward_token`."
        )


class Unreachable(OutboundError):
    def __init__(self, kind: Kind, message: str, status: int = 0, body: bytes = b"") -> None:
        super().__init__(message)
        self.kind, self.status, self.body = kind, status, body


class TimedOut(OutboundError):
    kind: Kind = "timeout"


class TooLarge(OutboundError):
    kind: Kind = "too-large"

    def __init__(self, host: str, limit: int) -> None:
        super().__init__(f"The response of {host} is larger than the limit of {limit:,} bytes. Ask for smaller pages.")


class Inflated(TooLarge):
    def __init__(self, host: str, ratio: int) -> None:
        OutboundError.__init__(
            self,
            f"The response of {host} unpacks to more than {ratio:,} times its size, which no real data does. "
            'If it is meant to, ask for it unpacked: set the header `Accept-Encoding` to "identity".',
        )


class InvalidPolicy(OutboundError):
    kind: Kind = "refused"


class UnusableBundle(InvalidPolicy):
    kind: Kind = "bundle"
