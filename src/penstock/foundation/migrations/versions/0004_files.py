"""Files and the blobs they consist of."""

import sqlalchemy as sa
from alembic import op

from penstock.foundation.database import Timestamp

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "storage_files",
        sa.Column("id", sa.BigInteger, primary_key=True),
        sa.Column("project_id", sa.BigInteger, nullable=False),
        sa.Column("branch_id", sa.BigInteger, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("size_bytes", sa.BigInteger),
        sa.Column("tags", sa.JSON, nullable=False),
        sa.Column("is_sliced", sa.Boolean, nullable=False),
        sa.Column("is_public", sa.Boolean, nullable=False),
        sa.Column("max_age_days", sa.Integer),
        sa.Column("created", Timestamp, nullable=False),
        sa.Column("expires", Timestamp),
        sa.Column("is_emptied", sa.Boolean, nullable=False),
        sa.Column("run_id", sa.Text),
        sa.Column("token_id", sa.BigInteger, nullable=False),
        sa.Column("token_description", sa.Text, nullable=False),
    )
    op.create_index("storage_files_by_project", "storage_files", ["project_id", "id"])
    op.create_index("storage_files_by_run", "storage_files", ["project_id", "run_id", "id"])
    op.create_index("storage_files_by_expiry", "storage_files", ["expires"])
    op.create_table(
        "storage_file_tags",
        sa.Column("file_id", sa.BigInteger, primary_key=True),
        sa.Column("tag", sa.Text, primary_key=True),
        sa.Column("project_id", sa.BigInteger, nullable=False),
    )
    op.create_index("storage_file_tags_by_tag", "storage_file_tags", ["project_id", "tag", "file_id"])
    op.create_table(
        "storage_blobs",
        sa.Column("file_id", sa.BigInteger, primary_key=True),
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("project_id", sa.BigInteger, nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("size_bytes", sa.BigInteger, nullable=False),
        sa.Column("etag", sa.Text, nullable=False),
        sa.Column("content_type", sa.Text, nullable=False),
        sa.Column("content_disposition", sa.Text),
        sa.Column("blocks", sa.LargeBinary, nullable=False),
        sa.Column("created", Timestamp, nullable=False),
        sa.Column("modified", Timestamp, nullable=False),
    )
