"""The jobs table, which is the queue."""

import sqlalchemy as sa
from alembic import op

from penstock.foundation.database import Timestamp

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "queue_jobs",
        sa.Column("id", sa.BigInteger, primary_key=True),
        sa.Column("project_id", sa.BigInteger, nullable=False),
        sa.Column("branch_id", sa.BigInteger, nullable=False),
        sa.Column("run_id", sa.Text, nullable=False),
        sa.Column("token_id", sa.BigInteger, nullable=False),
        sa.Column("token_description", sa.Text, nullable=False),
        sa.Column("mode", sa.Text, nullable=False),
        sa.Column("component", sa.Text, nullable=False),
        sa.Column("config", sa.Text),
        sa.Column("config_data", sa.LargeBinary),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("is_finished", sa.Boolean, nullable=False),
        sa.Column("result", sa.LargeBinary, nullable=False),
        sa.Column("created_time", Timestamp, nullable=False),
        sa.Column("start_time", Timestamp),
        sa.Column("end_time", Timestamp),
        sa.Column("attempt", sa.Integer, nullable=False),
        sa.Column("worker", sa.Text),
        sa.Column("lease_until", Timestamp),
        sa.Column("deaths", sa.Integer, nullable=False),
        sa.Column("collected_attempt", sa.Integer),
    )
    unfinished = sa.text("NOT is_finished")
    op.create_index("queue_jobs_unfinished", "queue_jobs", ["id"], sqlite_where=unfinished, postgresql_where=unfinished)
    op.create_index(
        "queue_jobs_unfinished_by_config",
        "queue_jobs",
        ["project_id", "branch_id", "component", "config", "id"],
        sqlite_where=unfinished,
        postgresql_where=unfinished,
    )
