"""Purges of projects: jobs that remove tables, files and workspaces."""

import sqlalchemy as sa
from alembic import op

from penstock.foundation.database import Timestamp


def upgrade() -> None:
    op.create_table(
        "storage_purges",
        *(sa.Column(name, sa.BigInteger, nullable=False) for name in ("id", "project_id")),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("is_finished", sa.Boolean, nullable=False),
        sa.Column("created_time", Timestamp, nullable=False),
        *(sa.Column(name, Timestamp) for name in ("start_time", "end_time", "lease_until")),
        *(sa.Column(name, sa.Integer, nullable=False) for name in ("attempt", "lost_leases")),
        sa.Column("worker", sa.Text),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("storage_purges_by_project", "storage_purges", ["project_id", "id"])
