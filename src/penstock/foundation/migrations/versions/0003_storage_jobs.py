"""Storage's own jobs."""

import sqlalchemy as sa
from alembic import op

from penstock.foundation.database import Timestamp

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "storage_jobs",
        sa.Column("id", sa.BigInteger, primary_key=True),
        sa.Column("project_id", sa.BigInteger, nullable=False),
        sa.Column("branch_id", sa.BigInteger, nullable=False),
        sa.Column("token_id", sa.BigInteger, nullable=False),
        sa.Column("token_description", sa.Text, nullable=False),
        sa.Column("run_id", sa.Text),
        sa.Column("operation", sa.Text, nullable=False),
        sa.Column("params", sa.JSON, nullable=False),
        sa.Column("lane", sa.Text),
        sa.Column("table_id", sa.Text),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("is_finished", sa.Boolean, nullable=False),
        sa.Column("created_time", Timestamp, nullable=False),
        sa.Column("start_time", Timestamp),
        sa.Column("end_time", Timestamp),
        sa.Column("attempt", sa.Integer, nullable=False),
        sa.Column("worker", sa.Text),
        sa.Column("lease_until", Timestamp),
        sa.Column("deaths", sa.Integer, nullable=False),
        sa.Column("results", sa.LargeBinary),
        sa.Column("error", sa.LargeBinary),
    )
    unfinished = sa.text("NOT is_finished")
    op.create_index("storage_jobs_by_project", "storage_jobs", ["project_id", "id"])
    op.create_index(
        "storage_jobs_unfinished", "storage_jobs", ["id"], sqlite_where=unfinished, postgresql_where=unfinished
    )
