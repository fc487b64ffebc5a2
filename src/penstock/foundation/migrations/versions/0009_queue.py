"""Everything that a job is: rows, children, locks, variables, termination."""

import sqlalchemy as sa
from alembic import op

from penstock.foundation.database import Timestamp

revision = "0009"
down_revision = "0008"

_TEXTS = (
    "tag",
    "lock_key",
    "variable_values_id",
    "executor",
    "parallelism",
    "on_error",
    "orchestration_job_id",
    "orchestration_task_id",
    "orchestration_phase_id",
    "previous_job_id",
    "deduplication_id",
)
_FILLED = {"parent_run_id": "", "component_type": "", "type": "standard", "desired_status": "processing"}
_DOCUMENTS = {
    "config_row_ids": "[]",
    "usage_data": "[]",
    "metrics": "{}",
    "variable_values_data": "{}",
    "backend": "{}",
}


def upgrade() -> None:
    for column in _columns():
        op.add_column("queue_jobs", column)
    _carry_over()
    op.drop_index("queue_jobs_unfinished_by_config", "queue_jobs")
    op.drop_column("queue_jobs", "collected_attempt")
    unfinished, running = sa.text("NOT is_finished"), sa.text("NOT is_finished AND worker IS NOT NULL")
    lock = ["project_id", "branch_id", "lock_key", "id"]
    _index("queue_jobs_unfinished_by_lock", lock, unfinished)
    _index("queue_jobs_running", ["project_id"], running)
    op.create_index("queue_jobs_by_project", "queue_jobs", ["project_id", "id"])
    op.create_index("queue_jobs_by_config", "queue_jobs", ["project_id", "component", "config", "id"])
    op.create_index("queue_jobs_by_status", "queue_jobs", ["project_id", "status", "id"])
    op.create_index("queue_jobs_by_parent", "queue_jobs", ["parent_id", "id"])
    op.create_index("queue_jobs_by_parent_run", "queue_jobs", ["project_id", "parent_run_id", "id"])
    _index("queue_jobs_ready", ["id"], sa.text("NOT is_finished AND NOT is_held"))
    _index("queue_jobs_unfinished_by_deduplication", ["project_id", "deduplication_id"], unfinished)


def _columns() -> list[sa.Column[object]]:
    return [
        *(sa.Column(name, sa.Text) for name in _TEXTS),
        *(sa.Column(name, sa.Text, nullable=False, server_default=value) for name, value in _FILLED.items()),
        *(sa.Column(name, sa.JSON, nullable=False, server_default=value) for name, value in _DOCUMENTS.items()),
        sa.Column("only_orchestration_task_ids", sa.JSON),
        sa.Column("parent_id", sa.BigInteger),
        sa.Column("config_version", sa.Integer),
        sa.Column("is_held", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("progress", sa.LargeBinary),
        sa.Column("delayed_start_time", Timestamp),
        sa.Column("updated_time", Timestamp),
    ]


def _carry_over() -> None:
    """Jobs that had not ended keep their place. What they collected is collected again: it has another folder now."""
    jobs = sa.table("queue_jobs", *map(sa.column, ("component", "config", "is_finished", "lock_key")))
    keys = jobs.c.component + "/" + jobs.c.config
    op.execute(sa.update(jobs).where(sa.not_(jobs.c.is_finished)).values(lock_key=keys))


def _index(name: str, columns: list[str], where: sa.TextClause) -> None:
    op.create_index(name, "queue_jobs", columns, sqlite_where=where, postgresql_where=where)
