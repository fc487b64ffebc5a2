"""What went wrong, and whose it is: a UserError is shown as written and exits with 1, anything else is ours."""

from __future__ import annotations


class UserError(Exception):
    """A sentence the user can act on."""


class WrongParam(UserError):
    """A job's own parameter that its pagination cannot use; the reader of the configuration adds where it stands."""

    def __init__(self, name: str, expected: str, shown: str) -> None:
        super().__init__(f"Expected {expected}, got {shown}")
        self.name = name


def invalid(what: str, path: str, mend: str = "") -> UserError:
    """Of a setting: what is wrong, where it stands, and how to fix it."""
    return UserError(f"Invalid configuration: {what} - at `{path}`. {mend}".rstrip())
