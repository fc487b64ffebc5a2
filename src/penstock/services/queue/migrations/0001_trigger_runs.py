"""Triggers whose tables were loaded, and the jobs that they started."""

import sqlalchemy as sa
from alembic import op

from penstock.foundation.database import Timestamp

_UNFINISHED, _RUNNING = sa.text("NOT is_finished"), sa.text("NOT is_finished AND worker IS NOT NULL")


def upgrade() -> None:
    op.create_table(
        "queue_trigger_runs",
        sa.Column("id", sa.BigInteger, primary_key=True),
        *(sa.Column(name, sa.BigInteger, nullable=False) for name in ("project_id", "trigger_id")),
        sa.Column("job_id", sa.BigInteger),
        sa.Column("causes", sa.JSON, nullable=False),
        sa.Column("error", sa.Text),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("is_finished", sa.Boolean, nullable=False),
        sa.Column("created_time", Timestamp, nullable=False),
        *(sa.Column(name, Timestamp) for name in ("start_time", "end_time", "lease_until", "delayed_until")),
        *(sa.Column(name, sa.Integer, nullable=False) for name in ("attempt", "lost_leases")),
        sa.Column("worker", sa.Text),
    )
    op.create_index(
        "queue_trigger_runs_unfinished",
        "queue_trigger_runs",
        ["project_id", "id"],
        sqlite_where=_UNFINISHED,
        postgresql_where=_UNFINISHED,
    )
    op.create_index(
        "queue_trigger_runs_running",
        "queue_trigger_runs",
        ["project_id"],
        sqlite_where=_RUNNING,
        postgresql_where=_RUNNING,
    )
    op.create_index("queue_trigger_runs_by_job", "queue_trigger_runs", ["project_id", "job_id"])
    op.create_index("queue_trigger_runs_by_end", "queue_trigger_runs", ["end_time"])
