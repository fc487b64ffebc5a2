"""Organizations, which projects belong to."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, Index, Table, Text

from penstock.foundation.database import Moment, metadata

organizations = Table(
    "management_organizations",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("maintainer_id", BigInteger, nullable=False),
    Column("name", Text, nullable=False),
    Column("created", Moment, nullable=False),
    Column("allow_auto_join", Boolean, nullable=False),
    Column("mfa_required", Boolean, nullable=False),
    Column("crm_id", Text),
    Column("activity_center_project_id", BigInteger),
    Index("management_organizations_of", "maintainer_id", "id"),
)
