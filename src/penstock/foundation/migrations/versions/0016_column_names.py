"""Columns of jobs are named as what they hold: the key of a lock, and how many leases ran out."""

from alembic import op

revision = "0016"
down_revision = "0015"

RENAMED = (
    ("storage_jobs", "lane", "lock_key"),
    ("storage_jobs", "deaths", "lost_leases"),
    ("queue_jobs", "deaths", "lost_leases"),
)


def upgrade() -> None:
    for table, old, new in RENAMED:
        op.execute(f"ALTER TABLE {table} RENAME COLUMN {old} TO {new}")
