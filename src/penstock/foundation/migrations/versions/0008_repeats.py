"""Requests that may be sent again, with what they were answered."""

import sqlalchemy as sa
from alembic import op

from penstock.foundation.database import Timestamp

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.create_table(
        "web_repeats",
        sa.Column("project_id", sa.BigInteger, primary_key=True),
        sa.Column("token_id", sa.BigInteger, primary_key=True),
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("fingerprint", sa.LargeBinary, nullable=False),
        sa.Column("status", sa.Integer),
        sa.Column("content", sa.LargeBinary),
        sa.Column("created", Timestamp, nullable=False, index=True),
    )
