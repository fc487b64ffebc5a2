"""Blobs keep the content headers and the metadata that they were sent with."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    op.add_column("storage_blobs", sa.Column("headers", sa.JSON, nullable=False, server_default="{}"))
