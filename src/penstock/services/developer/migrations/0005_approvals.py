"""Approval of versions. Those of approved apps that exist are approved: projects could run all of them."""

import sqlalchemy as sa
from alembic import op

from penstock.foundation.database import Timestamp


def upgrade() -> None:
    op.add_column("developer_versions", sa.Column("approved", Timestamp))
    op.add_column("developer_versions", sa.Column("approved_by", sa.Text))
    op.add_column("developer_apps", sa.Column("approved_version", sa.Integer, nullable=False, server_default="0"))
    op.add_column("developer_vendors", sa.Column("approval", sa.Text, nullable=False, server_default="version"))
    op.add_column("developer_vendors", sa.Column("projects", sa.JSON, nullable=False, server_default="[]"))
    apps = sa.table(
        "developer_apps",
        sa.column("id", sa.Text),
        sa.column("version", sa.Integer),
        sa.column("approved_version", sa.Integer),
        sa.column("is_approved", sa.Boolean),
    )
    versions = sa.table(
        "developer_versions",
        sa.column("app_id", sa.Text),
        sa.column("created", Timestamp),
        sa.column("created_by", sa.Text),
        sa.column("approved", Timestamp),
        sa.column("approved_by", sa.Text),
    )
    op.execute(apps.update().where(apps.c.is_approved).values(approved_version=apps.c.version))
    approved = sa.select(apps.c.id).where(apps.c.is_approved)
    op.execute(
        versions.update()
        .where(versions.c.app_id.in_(approved))
        .values(approved=versions.c.created, approved_by=versions.c.created_by)
    )
