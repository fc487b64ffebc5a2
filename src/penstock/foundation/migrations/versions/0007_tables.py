"""Typed columns, aliases, snapshots and sharing."""

import sqlalchemy as sa
from alembic import op

from penstock.foundation.database import Timestamp

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    share_buckets()
    widen_tables()
    make_snapshots()


def share_buckets() -> None:
    with op.batch_alter_table("storage_buckets") as table:
        table.add_column(sa.Column("color", sa.Text))
        table.add_column(sa.Column("sharing", sa.Text))
        table.add_column(sa.Column("shared_with", sa.JSON, nullable=False, server_default="[]"))
        table.add_column(sa.Column("source_project_id", sa.BigInteger))
        table.add_column(sa.Column("source_bucket_id", sa.Text))
    with op.batch_alter_table("storage_buckets") as table:
        table.alter_column("shared_with", server_default=None)


def widen_tables() -> None:
    with op.batch_alter_table("storage_tables") as table:
        table.add_column(sa.Column("changed", Timestamp))
        table.add_column(sa.Column("types", sa.JSON(none_as_null=True)))
        table.add_column(sa.Column("source_table_id", sa.Text))
        table.add_column(sa.Column("alias_columns", sa.JSON(none_as_null=True)))
        table.add_column(sa.Column("alias_filter", sa.JSON(none_as_null=True)))
        table.alter_column("imported", nullable=True)
    op.execute("UPDATE storage_tables SET changed = imported")
    with op.batch_alter_table("storage_tables") as table:
        table.alter_column("changed", nullable=False)
    op.create_index("storage_tables_by_source", "storage_tables", ["project_id", "source_table_id"])


def make_snapshots() -> None:
    op.create_table(
        "storage_snapshots",
        sa.Column("id", sa.BigInteger, primary_key=True),
        sa.Column("project_id", sa.BigInteger, nullable=False),
        sa.Column("table_id", sa.Text, nullable=False),
        sa.Column("description", sa.Text, nullable=False),
        sa.Column("columns", sa.JSON, nullable=False),
        sa.Column("primary_key", sa.JSON, nullable=False),
        sa.Column("types", sa.JSON(none_as_null=True)),
        sa.Column("rows_count", sa.BigInteger, nullable=False),
        sa.Column("data_size_bytes", sa.BigInteger, nullable=False),
        sa.Column("created", Timestamp, nullable=False),
        sa.Column("creator_id", sa.BigInteger, nullable=False),
        sa.Column("creator_description", sa.Text, nullable=False),
    )
    op.create_index("storage_snapshots_by_table", "storage_snapshots", ["project_id", "table_id", "id"])
