"""Manage tokens."""

import sqlalchemy as sa
from alembic import op

from penstock.foundation.database import Timestamp


def upgrade() -> None:
    op.create_table(
        "management_tokens",
        sa.Column("id", sa.BigInteger, primary_key=True),
        sa.Column("secret_hash", sa.LargeBinary, nullable=False),
        sa.Column("description", sa.Text, nullable=False),
        sa.Column("scopes", sa.JSON, nullable=False),
        sa.Column("created", Timestamp, nullable=False),
        sa.Column("expires", Timestamp),
    )
