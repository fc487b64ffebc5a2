"""Variables as they are asked for, kept and shown.

A variable is its key and its attributes together: the same key with other attributes is another variable.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import msgspec

from penstock.foundation.limits import ATTRIBUTES, NAMES

BRANCH = "branchId"
"""The attribute that makes a variable one of a branch; without it, it is the whole project's."""

# The last part: in Python `$` also matches before a line break at the end.
NAME = r"^[a-zA-Z][a-zA-Z0-9_\-]*$(?!\n)"
Name = Annotated[str, msgspec.Meta(pattern=NAME, max_length=255)]
Text = Annotated[str, msgspec.Meta(min_length=1, max_length=255)]


class Flag(StrEnum):
    ENCRYPTED = "encrypted"
    """The value is a secret: it is kept and shown as a cipher."""
    OAUTH_CREDENTIALS_ID = "oauthCredentialsId"
    """The value is the id of an authorization."""


class NewVariable(msgspec.Struct, frozen=True, kw_only=True):
    key: Name
    value: str
    flags: Annotated[list[Flag], msgspec.Meta(max_length=len(Flag))] = []
    group: Text | None = None
    attributes: Annotated[dict[Name, Text], msgspec.Meta(max_length=ATTRIBUTES)] = {}


class VariableRow(msgspec.Struct, frozen=True, kw_only=True):
    """A variable as it is kept: the value of an `encrypted` one is a cipher."""

    id: int
    """Only says which came first."""
    project_id: int
    hash: str
    key: str
    value: str
    flags: list[Flag]
    group: str | None
    attributes: dict[str, str]

    @property
    def is_of_branch(self) -> bool:
        return BRANCH in self.attributes


class Variable(msgspec.Struct, frozen=True, kw_only=True):
    hash: str
    key: str
    value: str
    flags: list[Flag]
    group: str | None
    attributes: dict[str, str]


class Filter(msgspec.Struct, frozen=True, kw_only=True):
    """Which variables are meant: every attribute is as given, and an empty one is not there at all."""

    key: str = ""
    attributes: Annotated[dict[str, str], msgspec.Meta(max_length=NAMES)] = {}


class VariablesQuery(Filter, frozen=True, kw_only=True):
    offset: Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)] = 0
    limit: Annotated[int, msgspec.Meta(ge=1, le=100)] = 100


class MergedQuery(Filter, frozen=True, kw_only=True, rename="camel"):
    branch_id: str


def variable_view(row: VariableRow) -> Variable:
    return Variable(
        hash=row.hash, key=row.key, value=row.value, flags=row.flags, group=row.group, attributes=row.attributes
    )
