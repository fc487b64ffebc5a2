"""A token that is sent by e-mail has another secret for each recipient."""

import sqlalchemy as sa
from alembic import op


def upgrade() -> None:
    op.add_column("storage_tokens", sa.Column("shared_hashes", sa.JSON, nullable=False, server_default="[]"))
