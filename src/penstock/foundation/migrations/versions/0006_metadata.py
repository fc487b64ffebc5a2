"""Metadata, triggers, and more rights of tokens."""

import sqlalchemy as sa
from alembic import op

from penstock.foundation.database import Timestamp

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    make_metadata()
    make_triggers()
    widen_tokens()
    widen_events()


def make_metadata() -> None:
    op.create_table(
        "storage_metadata",
        sa.Column("id", sa.BigInteger, primary_key=True),
        sa.Column("project_id", sa.BigInteger, nullable=False),
        sa.Column("branch_id", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("object_id", sa.Text, nullable=False),
        sa.Column("provider", sa.Text, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("value", sa.Text, nullable=False),
        sa.Column("timestamp", Timestamp, nullable=False),
    )
    columns = ["project_id", "branch_id", "kind", "object_id", "provider", "key"]
    op.create_index("storage_metadata_by_object", "storage_metadata", columns, unique=True)


def make_triggers() -> None:
    op.create_table(
        "storage_triggers",
        sa.Column("id", sa.BigInteger, primary_key=True),
        sa.Column("project_id", sa.BigInteger, nullable=False, index=True),
        sa.Column("run_with_token_id", sa.BigInteger, nullable=False),
        sa.Column("component", sa.Text, nullable=False),
        sa.Column("configuration_id", sa.Text, nullable=False),
        sa.Column("cool_down_minutes", sa.BigInteger, nullable=False),
        sa.Column("table_ids", sa.JSON, nullable=False),
        sa.Column("creator_id", sa.BigInteger, nullable=False),
        sa.Column("creator_description", sa.Text, nullable=False),
        sa.Column("created", Timestamp, nullable=False),
        sa.Column("last_run", Timestamp),
    )


def widen_tokens() -> None:
    for name in ("can_read_all_files", "can_purge_trash"):
        op.add_column("storage_tokens", sa.Column(name, sa.Boolean, nullable=False, server_default=sa.false()))


def widen_events() -> None:
    op.add_column("storage_events", sa.Column("object_type", sa.Text))
    op.add_column("storage_events", sa.Column("context", sa.JSON, nullable=False, server_default="{}"))
    op.add_column("storage_events", sa.Column("duration", sa.BigInteger))
    op.create_index("storage_events_by_object", "storage_events", ["project_id", "object_id", "id"])
    op.create_index("storage_events_by_uuid", "storage_events", ["uuid"])
