"""Branches as stored, requested and returned."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

import msgspec
from msgspec import UNSET, UnsetType

from penstock.foundation.events import Event
from penstock.foundation.structs import Wire
from penstock.services.storage.models import to_text
from penstock.services.storage.models.metadata import BRANCH, Owner


class Branch(msgspec.Struct, frozen=True, kw_only=True):
    """A branch as stored. Main has no creator: it is created with its project."""

    id: int
    project_id: int
    name: str
    is_default: bool
    created: datetime
    description: str = ""
    creator_id: int | None = None
    creator_name: str | None = None

    @property
    def owner(self) -> Owner:
        return Owner(self.project_id, self.id, BRANCH, str(self.id))


class BranchDeleted(Event, frozen=True, kw_only=True):
    name: ClassVar[str] = "storage.branchDeleted"
    branch_id: int


class NewBranch(Wire, frozen=True):
    name: str = ""
    """Name of the branch, unique in the project."""
    description: str = ""
    """What is developed in the branch."""


class ChangedBranch(Wire, frozen=True):
    """Fields that are not set stay unchanged."""

    name: str | UnsetType = UNSET
    """New name, unique in the project. Main is not renamed."""
    description: str | UnsetType = UNSET
    """New description."""


class BranchToken(msgspec.Struct, frozen=True):
    """The token that created a branch; its description is called `name` here, and `description` everywhere else."""

    id: int
    name: str


class BranchView(Wire, frozen=True):
    id: int
    name: str
    description: str
    created: str
    is_default: bool
    creator_token: BranchToken | list[Any]
    """An empty list if the branch has no creator."""


def branch_view(branch: Branch) -> BranchView:
    return BranchView(
        id=branch.id,
        name=branch.name,
        description=branch.description,
        created=to_text(branch.created),
        is_default=branch.is_default,
        creator_token=BranchToken(branch.creator_id, branch.creator_name or "") if branch.creator_id else [],
    )
