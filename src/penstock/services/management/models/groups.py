"""Maintainers and organizations, as stored, requested and returned."""

from __future__ import annotations

from datetime import datetime

import msgspec
from msgspec import UNSET, UnsetType

from penstock.foundation.structs import Wire
from penstock.services.management.models.wire import Name, Number, Ref, ShortText, to_text


class Maintainer(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    name: str
    created: datetime
    defaults: dict[str, int | str | None] = {}
    """Its connections and file storage by default, and the address of its support, as they were given."""


class Organization(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    maintainer_id: int
    name: str
    created: datetime
    allow_auto_join: bool = True
    """Whether members of the organization and of its maintainer may administer its projects without being asked in."""
    mfa_required: bool = False
    crm_id: str | None = None
    activity_center_project_id: int | None = None


class Defaults(Wire, frozen=True, kw_only=True):
    default_connection_mysql_id: Number | UnsetType | None = UNSET
    """Id of the connection for this backend. It is stored and returned."""
    default_connection_redshift_id: Number | UnsetType | None = UNSET
    """Id of the connection for this backend. It is stored and returned."""
    default_connection_snowflake_id: Number | UnsetType | None = UNSET
    """Id of the connection for this backend. It is stored and returned."""
    default_connection_synapse_id: Number | UnsetType | None = UNSET
    """Id of the connection for this backend. It is stored and returned."""
    default_connection_exasol_id: Number | UnsetType | None = UNSET
    """Id of the connection for this backend. It is stored and returned."""
    default_connection_bigquery_id: Number | UnsetType | None = UNSET
    """Id of the connection for this backend. It is stored and returned."""
    default_connection_teradata_id: Number | UnsetType | None = UNSET
    """Id of the connection for this backend. It is stored and returned."""
    default_file_storage_id: Number | UnsetType | None = UNSET
    """Id of the file storage of new projects. It is stored and returned."""
    zendesk_url: ShortText | UnsetType | None = UNSET
    """Address at which projects ask for support."""


class NewMaintainer(Defaults, frozen=True, kw_only=True):
    name: Name
    """Name of the maintainer."""


class MaintainerChange(Defaults, frozen=True, kw_only=True):
    name: Name | UnsetType = UNSET
    """New name."""


class MaintainerView(Wire, frozen=True, kw_only=True):
    id: int
    name: str
    created: str
    default_connection_mysql_id: int | None = None
    default_connection_redshift_id: int | None = None
    default_connection_snowflake_id: int | None = None
    default_connection_synapse_id: int | None = None
    default_connection_exasol_id: int | None = None
    default_connection_bigquery_id: int | None = None
    default_connection_teradata_id: int | None = None
    default_file_storage_id: int | None = None
    zendesk_url: str | None = None
    organizations: list[Ref] | UnsetType = UNSET


class NewOrganization(Wire, frozen=True, kw_only=True):
    name: Name
    """Name of the organization."""
    crm_id: ShortText | None = None
    """Id of the organization in another system."""


class OrganizationChange(Wire, frozen=True, kw_only=True):
    """Fields that are not set stay unchanged."""

    name: Name | UnsetType = UNSET
    """New name."""
    maintainer_id: Number | UnsetType = UNSET
    """Id of the maintainer that the organization is moved to."""
    allow_auto_join: bool | UnsetType = UNSET
    """Whether members of the organization and of its maintainer may join its projects without being invited."""
    crm_id: ShortText | UnsetType | None = UNSET
    """Id of the organization in another system."""
    activity_center_project_id: Number | UnsetType | None = UNSET
    """Id of the project that shows what the organization does."""
    mfa_required: bool | UnsetType = UNSET
    """Whether everybody who works in its projects needs a second factor."""


class ProjectRef(Wire, frozen=True, kw_only=True):
    id: int
    name: str
    created: str


class OrganizationView(Wire, frozen=True, kw_only=True):
    id: int
    name: str
    created: str
    allow_auto_join: bool
    crm_id: str | None
    activity_center_project_id: int | None
    mfa_required: bool
    projects: list[ProjectRef] | UnsetType = UNSET
    maintainer: MaintainerView | UnsetType = UNSET


class ForcedMfa(Wire, frozen=True, kw_only=True):
    mfa_required: bool = True
    """Whether everybody who works in the projects of the organization needs a second factor."""


DEFAULTS = tuple(field.name for field in msgspec.structs.fields(Defaults))


def maintainer_view(row: Maintainer, organizations: list[Organization] | None = None) -> MaintainerView:
    refs = UNSET if organizations is None else [Ref(id=each.id, name=each.name) for each in organizations]
    known = MaintainerView(id=row.id, name=row.name, created=to_text(row.created), organizations=refs)
    return msgspec.structs.replace(known, **{name: row.defaults.get(name) for name in DEFAULTS})


def organization_view(row: Organization) -> OrganizationView:
    return OrganizationView(
        id=row.id,
        name=row.name,
        created=to_text(row.created),
        allow_auto_join=row.allow_auto_join,
        crm_id=row.crm_id,
        activity_center_project_id=row.activity_center_project_id,
        mfa_required=row.mfa_required,
    )
