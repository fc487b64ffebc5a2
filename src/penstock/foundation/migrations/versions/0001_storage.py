"""Projects, tokens, configurations, buckets, tables and events."""

import sqlalchemy as sa
from alembic import op

from penstock.foundation.database import Timestamp

revision = "0001"
down_revision = None


def upgrade() -> None:
    make_foundation()
    make_projects()
    make_tokens()
    make_configurations()
    make_buckets_and_tables()
    make_events()


def make_foundation() -> None:
    sequences = op.create_table(
        "foundation_sequences",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("value", sa.BigInteger, nullable=False),
    )
    op.bulk_insert(sequences, [{"name": "ids", "value": 0}])


def make_projects() -> None:
    op.create_table(
        "management_projects",
        sa.Column("id", sa.BigInteger, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("created", Timestamp, nullable=False),
    )
    op.create_table(
        "storage_branches",
        sa.Column("id", sa.BigInteger, primary_key=True),
        sa.Column("project_id", sa.BigInteger, nullable=False, index=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("is_default", sa.Boolean, nullable=False),
        sa.Column("created", Timestamp, nullable=False),
    )


def make_tokens() -> None:
    op.create_table(
        "storage_tokens",
        sa.Column("id", sa.BigInteger, primary_key=True),
        sa.Column("project_id", sa.BigInteger, nullable=False, index=True),
        sa.Column("secret_hash", sa.LargeBinary, nullable=False),
        sa.Column("description", sa.Text, nullable=False),
        sa.Column("is_master", sa.Boolean, nullable=False),
        sa.Column("can_manage_buckets", sa.Boolean, nullable=False),
        sa.Column("can_manage_tokens", sa.Boolean, nullable=False),
        sa.Column("can_create_jobs", sa.Boolean, nullable=False),
        sa.Column("bucket_permissions", sa.JSON, nullable=False),
        sa.Column("component_access", sa.JSON, nullable=False),
        sa.Column("created", Timestamp, nullable=False),
        sa.Column("refreshed", Timestamp, nullable=False),
        sa.Column("expires", Timestamp),
        sa.Column("creator_id", sa.BigInteger),
        sa.Column("creator_description", sa.Text),
    )


def make_configurations() -> None:
    op.create_table(
        "storage_configurations",
        sa.Column("project_id", sa.BigInteger, primary_key=True),
        sa.Column("branch_id", sa.BigInteger, primary_key=True),
        sa.Column("component_id", sa.Text, primary_key=True),
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("description", sa.Text, nullable=False),
        sa.Column("configuration", sa.LargeBinary, nullable=False),
        sa.Column("state", sa.LargeBinary, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("version_identifier", sa.Text, nullable=False),
        sa.Column("change_description", sa.Text, nullable=False),
        sa.Column("is_disabled", sa.Boolean, nullable=False),
        sa.Column("created", Timestamp, nullable=False),
        sa.Column("changed", Timestamp, nullable=False),
        sa.Column("creator_id", sa.BigInteger, nullable=False),
        sa.Column("creator_description", sa.Text, nullable=False),
    )


def make_buckets_and_tables() -> None:
    op.create_table(
        "storage_buckets",
        sa.Column("project_id", sa.BigInteger, primary_key=True),
        sa.Column("branch_id", sa.BigInteger, primary_key=True),
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("number", sa.BigInteger, nullable=False, unique=True),
        sa.Column("stage", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("display_name", sa.Text, nullable=False),
        sa.Column("description", sa.Text, nullable=False),
        sa.Column("created", Timestamp, nullable=False),
        sa.Column("changed", Timestamp),
    )
    op.create_table(
        "storage_tables",
        sa.Column("project_id", sa.BigInteger, primary_key=True),
        sa.Column("branch_id", sa.BigInteger, primary_key=True),
        sa.Column("bucket_id", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("display_name", sa.Text, nullable=False),
        sa.Column("columns", sa.JSON, nullable=False),
        sa.Column("primary_key", sa.JSON, nullable=False),
        sa.Column("rows_count", sa.BigInteger, nullable=False),
        sa.Column("data_size_bytes", sa.BigInteger, nullable=False),
        sa.Column("created", Timestamp, nullable=False),
        sa.Column("imported", Timestamp, nullable=False),
    )


def make_events() -> None:
    op.create_table(
        "storage_events",
        sa.Column("id", sa.BigInteger, primary_key=True),
        sa.Column("uuid", sa.Text, nullable=False),
        sa.Column("project_id", sa.BigInteger, nullable=False),
        sa.Column("branch_id", sa.BigInteger, nullable=False),
        sa.Column("run_id", sa.Text),
        sa.Column("event", sa.Text, nullable=False),
        sa.Column("type", sa.Text, nullable=False),
        sa.Column("message", sa.Text, nullable=False),
        sa.Column("description", sa.Text, nullable=False),
        sa.Column("component", sa.Text, nullable=False),
        sa.Column("configuration_id", sa.Text),
        sa.Column("object_id", sa.Text),
        sa.Column("params", sa.JSON, nullable=False),
        sa.Column("results", sa.JSON, nullable=False),
        sa.Column("token_id", sa.BigInteger, nullable=False),
        sa.Column("token_description", sa.Text, nullable=False),
        sa.Column("created", Timestamp, nullable=False),
    )
    op.create_index("storage_events_by_project", "storage_events", ["project_id", "id"])
    op.create_index("storage_events_by_run", "storage_events", ["project_id", "run_id", "id"])
