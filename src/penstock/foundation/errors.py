"""Base classes of errors; each maps to an HTTP status and an exit code.

    AppError
    ├── Invalid        400  the request is wrong
    ├── Unauthorized   401  the caller is not authenticated
    ├── Forbidden      403  the caller lacks a permission
    ├── NotFound       404  it does not exist, or not for this caller
    ├── Conflict       409  it changed meanwhile; try again
    ├── TooLarge       413  the request is too large
    └── Unavailable    503  nothing was changed; try again
        └── Damaged    503  nothing was changed; the operator has to repair something first

Services subclass these; a class has a status and a code, its constructor builds the message.
"""

from __future__ import annotations

from typing import Any


class AppError(Exception):
    """A message for the user, with the status and code of its class."""

    status: int = 400
    code: str | None = None
    details: Any = None
    """Additional data for programs, where the contract has a field for it."""
    retry_after: int | None = None
    """After how many seconds to try again, if known."""
    faults: tuple[dict[str, str], ...] = ()
    """What is wrong, field by field: `path` and `message`."""

    @property
    def message(self) -> str:
        return str(self.args[0]) if self.args else type(self).__name__


class Invalid(AppError):
    status = 400
    code = "validation.failed"


class Unauthorized(AppError):
    status = 401
    challenge: str = ""
    """The header WWW-Authenticate, where it tells clients how to sign in."""


class Forbidden(AppError):
    status = 403
    code = "accessDenied"


class RoleNotEnough(Forbidden):
    """What the role of a member of a project refuses."""

    def __init__(self, role: str, what: str) -> None:
        super().__init__(
            f'Your role in this project is "{role}", which {what}. Ask an administrator of the project for another one.'
        )


class NotFound(AppError):
    status = 404
    code = "notFound"


class Conflict(AppError):
    status = 409


class TooLarge(AppError):
    status = 413
    code = "requestTooLarge"


class Unavailable(AppError):
    status = 503


class Damaged(Unavailable):
    """A retry does not help: the operator has to repair something first. Nothing was changed."""
