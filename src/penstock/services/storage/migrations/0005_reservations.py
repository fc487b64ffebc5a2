"""What loads are about to add to tables of projects with limits."""

import sqlalchemy as sa
from alembic import op

from penstock.foundation.database import Timestamp


def upgrade() -> None:
    op.create_table(
        "storage_reservations",
        sa.Column("project_id", sa.BigInteger, primary_key=True),
        sa.Column("branch_id", sa.BigInteger, primary_key=True),
        sa.Column("bucket_id", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("rows_count", sa.BigInteger, nullable=False),
        sa.Column("data_size_bytes", sa.BigInteger, nullable=False),
        sa.Column("expires", Timestamp, nullable=False),
    )
