"""Storage's jobs can be cancelled; jobs are claimed project by project, so what waits is found by project."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"

UNFINISHED = "NOT is_finished"


def upgrade() -> None:
    column = sa.Column("is_cancelled", sa.Boolean, nullable=False, server_default=sa.false())
    op.add_column("storage_jobs", column)
    op.drop_index("storage_jobs_unfinished", "storage_jobs")
    op.drop_index("queue_jobs_ready", "queue_jobs")
    index("storage_jobs_unfinished_by_project", "storage_jobs", ["project_id", "id"], UNFINISHED)
    index("storage_jobs_running", "storage_jobs", ["project_id"], f"{UNFINISHED} AND worker IS NOT NULL")
    index("queue_jobs_ready_by_project", "queue_jobs", ["project_id", "id"], f"{UNFINISHED} AND NOT is_held")


def index(name: str, table: str, columns: list[str], condition: str) -> None:
    where = sa.text(condition)
    op.create_index(name, table, columns, sqlite_where=where, postgresql_where=where)
