"""Schedules, and the slots of theirs that have run."""

import sqlalchemy as sa
from alembic import op

from penstock.foundation.database import Timestamp


def upgrade() -> None:
    op.create_table(
        "scheduler_schedules",
        sa.Column("id", sa.BigInteger, primary_key=True),
        *(sa.Column(name, sa.BigInteger, nullable=False) for name in ("project_id", "branch_id")),
        sa.Column("configuration_id", sa.Text, nullable=False),
        sa.Column("configuration_version", sa.BigInteger, nullable=False),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("cron_tab", "timezone")),
        sa.Column("is_enabled", sa.Boolean, nullable=False),
        sa.Column("target", sa.JSON, nullable=False),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("target_component", "target_configuration")),
        sa.Column("token_id", sa.BigInteger, nullable=False),
        sa.Column("next_time", Timestamp),
        *(sa.Column(name, Timestamp, nullable=False) for name in ("planned_time", "created")),
    )
    op.create_index(
        "scheduler_schedules_by_configuration", "scheduler_schedules", ["project_id", "configuration_id"], unique=True
    )
    for name in ("next_time", "planned_time"):
        op.create_index(f"scheduler_schedules_by_{name}", "scheduler_schedules", [name])
    op.create_table(
        "scheduler_runs",
        sa.Column("schedule_id", sa.BigInteger, primary_key=True),
        sa.Column("slot", Timestamp, primary_key=True),
        sa.Column("id", sa.BigInteger, nullable=False),
        sa.Column("created", Timestamp, nullable=False),
        sa.Column("job_id", sa.BigInteger),
        sa.Column("error", sa.Text),
        sa.Column("missed", sa.Integer, nullable=False),
    )
    op.create_index("scheduler_runs_by_schedule", "scheduler_runs", ["schedule_id", "id"])
