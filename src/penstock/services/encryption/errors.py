"""Errors of Encryption."""

from __future__ import annotations

from penstock.foundation.errors import Invalid


class UnsupportedType(Invalid):
    status = 415

    def __init__(self, content_type: str) -> None:
        given = f'"{content_type}"' if content_type else "no Content-Type"
        super().__init__(f"The request has {given}. Send application/json or text/plain.")


class InvalidContent(Invalid):
    """The body is not what its content type says."""


class InvalidHost(Invalid):
    def __init__(self, host: str) -> None:
        super().__init__(f"{host!r} is not a host. Write its name, with its port if it is not the usual one.")
