"""Features of projects; snapshots and jobs of branches that have their own storage."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    add_features()
    place_snapshots()
    widen_jobs()


def add_features() -> None:
    with op.batch_alter_table("management_projects") as table:
        table.add_column(sa.Column("features", sa.JSON, nullable=False, server_default="[]"))
    with op.batch_alter_table("management_projects") as table:
        table.alter_column("features", server_default=None)


def place_snapshots() -> None:
    """Set the branch of snapshots: until now there were only tables of Main."""
    with op.batch_alter_table("storage_snapshots") as table:
        table.add_column(sa.Column("branch_id", sa.BigInteger))
    main = "SELECT id FROM storage_branches WHERE is_default AND project_id = storage_snapshots.project_id"
    op.execute(f"UPDATE storage_snapshots SET branch_id = ({main})")
    with op.batch_alter_table("storage_snapshots") as table:
        table.alter_column("branch_id", nullable=False)


def widen_jobs() -> None:
    """Mark the jobs that wait: they were accepted when all branches shared one storage."""
    for table in ("storage_jobs", "queue_jobs"):
        column = sa.Column("has_storage_branches", sa.Boolean, nullable=False, server_default=sa.false())
        op.add_column(table, column)
