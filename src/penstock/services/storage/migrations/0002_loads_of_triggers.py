"""Triggers know which of their tables were loaded since their last run."""

import sqlalchemy as sa
from alembic import op


def upgrade() -> None:
    op.add_column("storage_triggers", sa.Column("loaded", sa.JSON, nullable=False, server_default="[]"))
