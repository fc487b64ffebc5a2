"""What can go wrong, in the families that an HTTP response or an exit code is made of.

    AppError
    ├── Invalid        400  the request is wrong
    ├── Unauthorized   401  nobody we know is asking
    ├── Forbidden      403  we know who is asking, and they may not
    ├── NotFound       404  it is not there, or not theirs
    ├── Conflict       409  it changed meanwhile; try again
    ├── TooLarge       413  more than we take in one piece
    └── Unavailable    503  nothing happened; try again
        └── Damaged    503  nothing happened; the operator has to repair something first

Services name their own errors below these; status and code belong to the class, the sentence to its constructor.
"""

from __future__ import annotations

from typing import Any


class AppError(Exception):
    """A sentence for the user, with the status and code of its class."""

    status: int = 400
    code: str | None = None
    details: Any = None
    """What a program may read besides the sentence, where the contract has a place for it."""
    retry_after: int | None = None
    """After how many seconds it may be tried again, if that is known."""
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


class Forbidden(AppError):
    status = 403
    code = "accessDenied"


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
    """Trying again does not help: the operator has to repair something first. Nothing happened."""
