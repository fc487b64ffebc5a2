"""Variables of the vault."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.create_table(
        "vault_variables",
        sa.Column("project_id", sa.BigInteger, primary_key=True),
        sa.Column("hash", sa.Text, primary_key=True),
        sa.Column("id", sa.BigInteger, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("value", sa.Text, nullable=False),
        sa.Column("flags", sa.JSON, nullable=False),
        sa.Column("group", sa.Text),
        sa.Column("attributes", sa.JSON, nullable=False),
    )
