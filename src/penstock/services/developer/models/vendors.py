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
    """Id of the vendor, with which the ids of its apps begin."""
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=128)]
    """Name of the vendor, as people see it."""
    address: Line = ""
    """Postal address of the vendor."""
    email: Line = ""
    """E-mail address at which the vendor is reached."""


class VendorChange(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=128)] | UnsetType = UNSET
    """New name."""
    address: Line | UnsetType = UNSET
    """New postal address."""
    email: Line | UnsetType = UNSET
    """New e-mail address."""
    is_public: bool | UnsetType = UNSET
    """Whether everybody sees the vendor. Only administrators set it."""
    is_approved: bool | UnsetType = UNSET
    """Whether apps of the vendor can be published. Only administrators set it."""
    approval: Approval | UnsetType = UNSET
    """`version`: an administrator approves each version of its apps; `vendor`: new versions of approved apps need no
    other look. Only administrators set it."""
    projects: Annotated[list[ProjectId], msgspec.Meta(max_length=MAX_PROJECTS)] | UnsetType = UNSET
    """Ids of the projects of the vendor, which run versions before they are approved. Only administrators set them."""


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
    """How many items are skipped before the first one that is returned."""
    limit: Annotated[int, msgspec.Meta(ge=1, le=LISTED)] = LISTED
    """The highest number of items to return."""


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
