"""Variables as requested, stored and returned.

A variable is identified by its key and attributes: the same key with other attributes is another variable.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import msgspec

from penstock.foundation.constraints import matching
from penstock.foundation.limits import ATTRIBUTES, NAMES

BRANCH = "branchId"
"""The attribute of a variable that belongs to a branch; others belong to the whole project."""

# The last part: in Python `$` also matches before a line break at the end.
NAME = r"^[a-zA-Z][a-zA-Z0-9_\-]*$(?!\n)"
Name = Annotated[
    str, matching(NAME, "a letter, then letters, digits, dashes and underscores", "shop_url", max_length=255)
]
Text = Annotated[str, msgspec.Meta(min_length=1, max_length=255)]


class Flag(StrEnum):
    ENCRYPTED = "encrypted"
    """The value is a secret: it is stored and returned encrypted."""
    OAUTH_CREDENTIALS_ID = "oauthCredentialsId"
    """The value is the id of an authorization."""


class NewVariable(msgspec.Struct, frozen=True, kw_only=True):
    key: Name
    """Key of the variable: a letter, then letters, digits, dashes and underscores. Configurations name it as `{{
    vault.key }}`."""
    value: str
    """Value of the variable."""
    flags: Annotated[list[Flag], msgspec.Meta(max_length=len(Flag))] = []
    """`encrypted`: the value is a secret, stored and returned as a cipher. `oauthCredentialsId`: the value is the id of
    a credential of OAuth."""
    group: Text | None = None
    """A name to group variables by."""
    attributes: Annotated[dict[Name, Text], msgspec.Meta(max_length=ATTRIBUTES)] = {}
    """More that identifies the variable: the same key with other attributes is another variable. `branchId` makes it
    one of a branch."""


class VariableRow(msgspec.Struct, frozen=True, kw_only=True):
    """A variable as stored: the value of an `encrypted` one is a cipher."""

    id: int
    """Only determines the order of creation."""
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
    """Selects variables: every attribute must be as given, and an empty one must be absent."""

    key: str = ""
    """Only variables with this key."""
    attributes: Annotated[dict[str, str], msgspec.Meta(max_length=NAMES)] = {}
    """Only variables with these attributes, such as `attributes[branchId]=5`. An empty value means that the attribute
    is absent."""


class VariablesQuery(Filter, frozen=True, kw_only=True):
    offset: Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)] = 0
    limit: Annotated[int, msgspec.Meta(ge=1, le=100)] = 100


class MergedQuery(Filter, frozen=True, kw_only=True, rename="camel"):
    branch_id: str
    """Id of the branch."""


def variable_view(row: VariableRow) -> Variable:
    return Variable(
        hash=row.hash, key=row.key, value=row.value, flags=row.flags, group=row.group, attributes=row.attributes
    )
