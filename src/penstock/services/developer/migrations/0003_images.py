"""Images: blobs, manifests, tags and unfinished uploads."""

import sqlalchemy as sa
from alembic import op

from penstock.foundation.database import Timestamp


def upgrade() -> None:
    op.create_table(
        "developer_image_blobs",
        sa.Column("app_id", sa.Text, primary_key=True),
        sa.Column("digest", sa.Text, primary_key=True),
        sa.Column("size_bytes", sa.BigInteger, nullable=False),
        sa.Column("content_id", sa.BigInteger, nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("created", Timestamp, nullable=False),
    )
    op.create_index("developer_image_blobs_by_digest", "developer_image_blobs", ["digest"])
    op.create_index("developer_image_blobs_by_content", "developer_image_blobs", ["content_id"])
    op.create_table(
        "developer_image_manifests",
        sa.Column("app_id", sa.Text, primary_key=True),
        sa.Column("digest", sa.Text, primary_key=True),
        sa.Column("media_type", sa.Text, nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
        sa.Column("refers_to", sa.JSON, nullable=False),
        sa.Column("created", Timestamp, nullable=False),
        sa.Column("created_by", sa.Text, nullable=False),
    )
    op.create_table(
        "developer_image_tags",
        sa.Column("app_id", sa.Text, primary_key=True),
        sa.Column("tag", sa.Text, primary_key=True),
        sa.Column("digest", sa.Text, nullable=False),
    )
    op.create_table(
        "developer_image_uploads",
        sa.Column("id", sa.BigInteger, primary_key=True),
        sa.Column("app_id", sa.Text, nullable=False),
        sa.Column("created", Timestamp, nullable=False),
    )
    op.create_index("developer_image_uploads_by_app", "developer_image_uploads", ["app_id"])
