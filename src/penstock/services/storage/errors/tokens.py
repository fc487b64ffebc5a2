"""Errors of tokens."""

from __future__ import annotations

from penstock.foundation.errors import Forbidden, Invalid, NotFound, Unauthorized


class InvalidToken(Unauthorized):
    code = "storage.tokenInvalid"

    def __init__(self) -> None:
        super().__init__("Invalid access token")


class TokenExpired(Unauthorized):
    code = "storage.tokenInvalid"

    def __init__(self) -> None:
        super().__init__("The access token has expired.")


class NotAMember(Unauthorized):
    code = "storage.tokenInvalid"

    def __init__(self) -> None:
        super().__init__("The access token belongs to a user who is not a member of the project any more.")


class ProjectClosed(Forbidden):
    """The project is disabled, has expired or was deleted."""

    code = "storage.projectDisabled"


class TokenNotFound(NotFound):
    def __init__(self, token_id: str) -> None:
        super().__init__(f"Token {token_id} not found")


class InvalidPermissions(Invalid):
    code = "storage.tokens.invalidPermissions"


class NotYours(Forbidden):
    def __init__(self) -> None:
        super().__init__("You don't have access to the resource.")
