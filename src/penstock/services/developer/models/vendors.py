"""Vendors: who publishes apps."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, UnsetType

from penstock.foundation.constraints import matching

LISTED = 1_000
"""Entries of one page."""
VENDOR_ID = r"^[a-z0-9][a-z0-9-]{1,63}$(?!\n)"
VendorId = Annotated[str, matching(VENDOR_ID, "2 to 64 small letters, digits and dashes, the first not a dash", "acme")]
MAX_PROJECTS = 100
"""Of one vendor."""
ProjectId = Annotated[int, msgspec.Meta(ge=1, le=2**63 - 1)]
Approval = Literal["version", "vendor"]
Line = Annotated[str, msgspec.Meta(max_length=255)]


class NewVendor(msgspec.Struct, frozen=True, kw_only=True):
    id: VendorId
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=128)]
    address: Line = ""
    email: Line = ""


class VendorChange(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=128)] | UnsetType = UNSET
    address: Line | UnsetType = UNSET
    email: Line | UnsetType = UNSET
    is_public: bool | UnsetType = UNSET
    """Only for administrators, as the next ones."""
    is_approved: bool | UnsetType = UNSET
    approval: Approval | UnsetType = UNSET
    """`version`: an administrator approves each version of its apps; `vendor`: its approved apps need no other look."""
    projects: Annotated[list[ProjectId], msgspec.Meta(max_length=MAX_PROJECTS)] | UnsetType = UNSET
    """The ids of its own projects, which run versions before they are approved."""


class VendorRow(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    name: str
    address: str = ""
    email: str = ""
    is_public: bool = False
    is_approved: bool = False
    approval: Approval = "version"
    projects: list[int] = []
    created: datetime
    created_by: str


class Vendor(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    id: str
    name: str
    address: str
    email: str
    is_public: bool
    is_approved: bool
    created_on: datetime
    approval: Approval | UnsetType = UNSET
    """Only for those who belong to it and for administrators, as the next one."""
    projects: list[int] | UnsetType = UNSET


class PageQuery(msgspec.Struct, frozen=True, kw_only=True):
    offset: Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)] = 0
    limit: Annotated[int, msgspec.Meta(ge=1, le=LISTED)] = LISTED


def vendor_view(row: VendorRow, *, is_public: bool = False) -> Vendor:
    """`is_public`: as everybody sees it."""
    return Vendor(
        id=row.id,
        name=row.name,
        address=row.address,
        email=row.email,
        is_public=row.is_public,
        is_approved=row.is_approved,
        created_on=row.created,
        approval=UNSET if is_public else row.approval,
        projects=UNSET if is_public else row.projects,
    )
