"""A workspace has a backend: one of files has no engine."""

import sqlalchemy as sa
from alembic import op


def upgrade() -> None:
    op.add_column("storage_workspaces", sa.Column("backend", sa.Text, nullable=False, server_default="snowflake"))
