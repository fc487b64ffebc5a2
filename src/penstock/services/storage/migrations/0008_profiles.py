"""An index to find the newest profile of a table."""

import sqlalchemy as sa
from alembic import op


def upgrade() -> None:
    profiles = sa.text("operation = 'tableProfile'")
    op.create_index(
        "storage_jobs_profiles",
        "storage_jobs",
        ["project_id", "table_id", "id"],
        sqlite_where=profiles,
        postgresql_where=profiles,
    )
