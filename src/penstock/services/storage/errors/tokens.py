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


class ProjectNotNamed(Unauthorized):
    code = "storage.tokenInvalid"

    def __init__(self, header: str) -> None:
        super().__init__(
            f"A token of a person opens several projects: the header {header} must hold the number of the project."
        )


class NotYourProject(Unauthorized):
    """The same for a project that does not exist: others do not learn which ones do."""

    code = "storage.tokenInvalid"

    def __init__(self, project_id: int) -> None:
        super().__init__(f"The token belongs to a user who is not a member of the project {project_id}.")


class NotForProject(Unauthorized):
    code = "storage.tokenInvalid"

    def __init__(self, project_id: int) -> None:
        super().__init__(f"The token is limited to other projects than {project_id}.")


class ProjectClosed(Forbidden):
    """The project is disabled, has expired or was deleted."""

    code = "storage.projectDisabled"


class NoTokensForPrograms(Forbidden):
    def __init__(self) -> None:
        super().__init__(
            "A program that a person has let into the project gets no other tokens. Create the token in the console, "
            "or with the token of a member."
        )


class LivesLonger(Forbidden):
    def __init__(self) -> None:
        super().__init__(
            "A personal access token that expires cannot refresh a token that lives longer. "
            "Sign in, and refresh it with an access token."
        )


class NoMail(Invalid):
    code = "storage.tokens.noMail"

    def __init__(self) -> None:
        super().__init__(
            "This stack sends no e-mails, since its setting smtp_host is empty. Create a token with POST tokens, or "
            "renew one with POST tokens/{id}/refresh, and hand over its secret."
        )


class InvalidShare(Invalid):
    code = "storage.tokens.invalidShare"


class MasterToken(Forbidden):
    def __init__(self, token_id: str) -> None:
        super().__init__(
            f"The token {token_id} belongs to a member of the project, or may do everything in it, and is not sent to "
            "others. Create a token with the permissions that the recipient needs, and share that one."
        )


class TokenNotFound(NotFound):
    def __init__(self, token_id: str) -> None:
        super().__init__(f"Token {token_id} not found")


class InvalidPermissions(Invalid):
    code = "storage.tokens.invalidPermissions"


class NotYours(Forbidden):
    def __init__(self) -> None:
        super().__init__("You don't have access to the resource.")
