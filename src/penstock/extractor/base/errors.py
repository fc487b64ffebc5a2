"""Errors of the user: a UserError is shown as it is and exits with 1; any other exception is a bug and exits with 2."""

from __future__ import annotations


class UserError(Exception):
    """A message that the user can act on."""


class WrongParam(UserError):
    """A parameter of a job that its pagination cannot use; the caller adds its path in the configuration."""

    def __init__(self, name: str, expected: str, actual: str) -> None:
        super().__init__(f"Expected {expected}, got {actual}")
        self.name = name


def invalid(what: str, path: str, fix: str = "") -> UserError:
    """Returns the error for a setting: what is wrong, its path, and how to fix it."""
    return UserError(f"Invalid configuration: {what} - at `{path}`. {fix}".rstrip())
