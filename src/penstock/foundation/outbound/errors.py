"""Why a call did not come back: every error is a sentence for users that names the host, the cause and the way out.

    OutboundError
    ├── Refused        the gate did not even try: a private address, or a URL it cannot trust
    ├── Unreachable    it tried, and the host did not answer as HTTP should
    ├── TimedOut       the host was too slow
    ├── TooLarge       the answer is larger than the caller takes
    └── InvalidPolicy  the settings of the gate make no sense, so nothing may pass

`kind` says the same to a program, so that a retry policy can decide. Sentences name hosts and ports, never paths or
queries: those may hold secrets.
"""

from __future__ import annotations

from typing import Literal

Kind = Literal["resolve", "connect", "tls", "closed", "protocol", "timeout", "refused", "too-large"]


class OutboundError(Exception):
    """A call that did not come back, in a sentence for the user."""

    kind: Kind


class Refused(OutboundError):
    kind: Kind = "refused"


class PrivateAddress(Refused):
    def __init__(self, host: str, address: str) -> None:
        where = f"{host} is a private address" if host == address else f"{host} is at {address}, a private address"
        super().__init__(
            f"{where}, which this stack does not let jobs reach. "
            f"If that is intended, allow it: start the stack with --allow-host {host}."
        )


class Unreachable(OutboundError):
    def __init__(self, kind: Kind, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class TimedOut(OutboundError):
    kind: Kind = "timeout"


class TooLarge(OutboundError):
    kind: Kind = "too-large"

    def __init__(self, host: str, limit: int) -> None:
        super().__init__(f"The answer of {host} is larger than the limit of {limit:,} bytes. Ask for smaller pages.")


class InvalidPolicy(OutboundError):
    kind: Kind = "refused"
