"""Workspaces and their credentials."""

import sqlalchemy as sa
from alembic import op

from penstock.foundation.database import Timestamp


def upgrade() -> None:
    op.create_table(
        "storage_workspaces",
        sa.Column("id", sa.BigInteger, primary_key=True),
        *(sa.Column(name, sa.BigInteger, nullable=False) for name in ("project_id", "branch_id")),
        *(sa.Column(name, sa.Text) for name in ("component", "configuration_id", "backend_size")),
        sa.Column("statement_timeout_seconds", sa.BigInteger, nullable=False),
        sa.Column("login_type", sa.Text, nullable=False),
        *(sa.Column(name, sa.Text) for name in ("public_key", "password_hash")),
        sa.Column("read_only_storage_access", sa.Boolean, nullable=False),
        sa.Column("use_case", sa.Text, nullable=False),
        sa.Column("created", Timestamp, nullable=False),
        sa.Column("creator_id", sa.BigInteger, nullable=False),
        sa.Column("creator_description", sa.Text, nullable=False),
    )
    op.create_index("storage_workspaces_by_branch", "storage_workspaces", ["project_id", "branch_id", "id"])
    op.create_table(
        "storage_workspace_credentials",
        sa.Column("id", sa.BigInteger, primary_key=True),
        *(sa.Column(name, sa.BigInteger, nullable=False) for name in ("project_id", "workspace_id")),
        sa.Column("public_key", sa.Text, nullable=False),
        sa.Column("created", Timestamp, nullable=False),
        sa.Column("creator_id", sa.BigInteger, nullable=False),
    )
    of_workspace = ["project_id", "workspace_id", "id"]
    op.create_index("storage_workspace_credentials_by_workspace", "storage_workspace_credentials", of_workspace)
