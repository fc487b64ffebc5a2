"""Query jobs and their statements."""

import sqlalchemy as sa
from alembic import op

from penstock.foundation.database import Timestamp

_UNFINISHED = sa.text("NOT is_finished")


def upgrade() -> None:
    _make_jobs()
    _make_statements()


def _make_jobs() -> None:
    op.create_table(
        "query_jobs",
        sa.Column("id", sa.BigInteger, primary_key=True),
        *(
            sa.Column(name, sa.BigInteger, nullable=False)
            for name in ("project_id", "branch_id", "workspace_id", "token_id")
        ),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("actor_type", "session_id", "dialect", "status")),
        *(sa.Column(name, sa.Boolean, nullable=False) for name in ("is_transactional", "is_finished")),
        sa.Column("timeout_seconds", sa.Float),
        *(sa.Column(name, Timestamp, nullable=False) for name in ("created_time", "changed_time")),
        *(sa.Column(name, Timestamp) for name in ("start_time", "end_time", "canceled_time", "lease_until")),
        *(sa.Column(name, sa.Text) for name in ("cancellation_reason", "worker")),
        *(sa.Column(name, sa.Integer, nullable=False) for name in ("attempt", "lost_leases")),
    )
    op.create_index(
        "query_jobs_unfinished",
        "query_jobs",
        ["project_id", "id"],
        sqlite_where=_UNFINISHED,
        postgresql_where=_UNFINISHED,
    )


def _make_statements() -> None:
    op.create_table(
        "query_statements",
        sa.Column("id", sa.BigInteger, primary_key=True),
        *(sa.Column(name, sa.BigInteger, nullable=False) for name in ("project_id", "workspace_id", "job_id")),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("session_id", "query", "status")),
        sa.Column("columns", sa.JSON, nullable=False),
        *(sa.Column(name, sa.BigInteger, nullable=False) for name in ("number_of_rows", "rows_affected")),
        sa.Column("message", sa.Text),
        sa.Column("created_time", Timestamp, nullable=False),
        *(sa.Column(name, Timestamp) for name in ("executed_time", "completed_time")),
    )
    op.create_index("query_statements_by_job", "query_statements", ["job_id", "id"])
    op.create_index("query_statements_by_workspace", "query_statements", ["project_id", "workspace_id", "id"])
