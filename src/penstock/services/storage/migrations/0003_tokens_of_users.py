"""Tokens know the user that they belong to: a member of the project."""

import sqlalchemy as sa
from alembic import op


def upgrade() -> None:
    op.add_column("storage_tokens", sa.Column("user_id", sa.BigInteger))
    op.create_index("storage_tokens_of_users", "storage_tokens", ["user_id", "project_id"])
