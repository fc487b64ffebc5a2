"""Tokens know the user who has made them, also with the Manage API."""

import sqlalchemy as sa
from alembic import op


def upgrade() -> None:
    op.add_column("storage_tokens", sa.Column("creator_user_id", sa.BigInteger))
