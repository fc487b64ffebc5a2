"""The rows that each job has written, and totals of jobs by hour: counts of many jobs are sums of few rows."""

import sqlalchemy as sa
from alembic import op

from penstock.foundation.database import Timestamp

_ENDED = sa.text("end_time IS NOT NULL")
# PostgreSQL reads no escaped NUL, which a message may have; what is counted has no escapes.
_JSON = r"regexp_replace(convert_from(result, 'UTF8'), '\\(u[0-9a-fA-F]{4}|.)', '', 'g')::json"
_ROWS = {
    "sqlite": (
        "SELECT sum(json_extract(metric.value, '$.value')) "
        "FROM json_each(CAST(result AS TEXT), '$.output.tables') AS written, "
        "json_each(written.value, '$.metrics') AS metric "
        "WHERE json_extract(metric.value, '$.name') = 'importedRowsCount'"
    ),
    "postgresql": (
        "SELECT sum((metric ->> 'value')::bigint) "
        f"FROM json_array_elements({_JSON} -> 'output' -> 'tables') AS written, "
        "json_array_elements(written -> 'metrics') AS metric "
        "WHERE metric ->> 'name' = 'importedRowsCount'"
    ),
}


def upgrade() -> None:
    op.add_column("queue_jobs", sa.Column("rows_written", sa.BigInteger, nullable=False, server_default="0"))
    rows = _ROWS[op.get_context().dialect.name]
    op.execute(
        f"UPDATE queue_jobs SET rows_written = coalesce(({rows}), 0) WHERE is_finished AND type = 'standard'"
        " AND status = 'success'"
    )
    op.create_index(
        "queue_jobs_by_end",
        "queue_jobs",
        ["project_id", "end_time", "branch_id", "status", "rows_written"],
        sqlite_where=_ENDED,
        postgresql_where=_ENDED,
    )
    op.create_table(
        "queue_job_hours",
        sa.Column("project_id", sa.BigInteger, primary_key=True),
        sa.Column("hour", Timestamp, primary_key=True),
        sa.Column("branch_id", sa.BigInteger, primary_key=True),
        sa.Column("component", sa.Text, primary_key=True),
        sa.Column("token_id", sa.BigInteger, primary_key=True),
        sa.Column("status", sa.Text, primary_key=True),
        sa.Column("jobs", sa.BigInteger, nullable=False),
        sa.Column("rows_written", sa.BigInteger, nullable=False),
    )
