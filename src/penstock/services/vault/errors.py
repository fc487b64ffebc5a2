"""Errors of Vault."""

from __future__ import annotations

from penstock.foundation.errors import Invalid, NotFound
from penstock.foundation.limits import ATTRIBUTES


class VariableNotFound(NotFound):
    def __init__(self, variable_hash: str) -> None:
        super().__init__(f'Variable "{variable_hash}" not found')


class InvalidBranch(NotFound):
    """Vault responds with 404 to invalid parameters of a list."""

    def __init__(self, branch_id: str) -> None:
        super().__init__(f'"{branch_id}" is not the number of a branch; "default" is Main.')


class InvalidVariable(Invalid):
    """The request is not a valid variable; the message names the field."""

    status = 422

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f'Invalid request:\n - {field}: "{problem}"')


class TooManyAttributes(Invalid):
    """More than any variable can have, so nothing could be found: an error of the caller, not an invalid parameter."""

    def __init__(self, count: int) -> None:
        super().__init__(f"A search names {count:,} attributes, and a variable has at most {ATTRIBUTES}. Name fewer.")
