"""Vendors, apps with their versions and archives, accounts and logins."""

import sqlalchemy as sa
from alembic import op

from penstock.foundation.database import Timestamp


def upgrade() -> None:
    op.create_table(
        "developer_vendors",
        sa.Column("id", sa.Text, primary_key=True),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("name", "address", "email", "created_by")),
        *(sa.Column(name, sa.Boolean, nullable=False) for name in ("is_public", "is_approved")),
        sa.Column("created", Timestamp, nullable=False),
    )
    op.create_table(
        "developer_apps",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("vendor_id", sa.Text, nullable=False),
        *(sa.Column(name, sa.Integer, nullable=False) for name in ("version", "last_version")),
        *(sa.Column(name, sa.Boolean, nullable=False) for name in ("is_public", "is_approved", "is_deprecated")),
        sa.Column("created", Timestamp, nullable=False),
        sa.Column("created_by", sa.Text, nullable=False),
        *(sa.Column(name, Timestamp) for name in ("expired", "requested")),
        *(sa.Column(name, sa.Text) for name in ("replacement_app", "requested_by", "rejection")),
    )
    op.create_index("developer_apps_by_vendor", "developer_apps", ["vendor_id"])
    op.create_table(
        "developer_versions",
        sa.Column("app_id", sa.Text, primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True),
        sa.Column("tag", sa.Text, nullable=False),
        sa.Column("fields", sa.JSON, nullable=False),
        sa.Column("command", sa.JSON, nullable=False),
        sa.Column("archive_id", sa.BigInteger),
        sa.Column("created", Timestamp, nullable=False),
        sa.Column("created_by", sa.Text, nullable=False),
    )
    op.create_table(
        "developer_archives",
        sa.Column("id", sa.BigInteger, primary_key=True),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("app_id", "content", "sha256")),
        sa.Column("size_bytes", sa.BigInteger, nullable=False),
        sa.Column("created", Timestamp, nullable=False),
        sa.UniqueConstraint("app_id", "sha256", name="developer_archives_sha256"),
    )
    op.create_table(
        "developer_accounts",
        sa.Column("username", sa.Text, primary_key=True),
        sa.Column("description", sa.Text, nullable=False),
        sa.Column("vendors", sa.JSON, nullable=False),
        sa.Column("is_admin", sa.Boolean, nullable=False),
        sa.Column("password_hash", sa.LargeBinary, nullable=False),
        sa.Column("created", Timestamp, nullable=False),
        sa.Column("created_by", sa.Text, nullable=False),
    )
    op.create_table(
        "developer_logins",
        sa.Column("id", sa.BigInteger, primary_key=True),
        sa.Column("username", sa.Text, nullable=False),
        sa.Column("generation", sa.Integer, nullable=False),
        *(sa.Column(name, Timestamp, nullable=False) for name in ("created", "expires")),
    )
    op.create_index("developer_logins_by_username", "developer_logins", ["username"])
