"""A workspace has a second public key, as users of Snowflake have."""

import sqlalchemy as sa
from alembic import op


def upgrade() -> None:
    op.add_column("storage_workspaces", sa.Column("public_key_2", sa.Text))
