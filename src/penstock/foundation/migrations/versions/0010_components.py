"""Components that were added to a stack, beside those that ship."""

import sqlalchemy as sa
from alembic import op

from penstock.foundation.database import Timestamp

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.create_table(
        "developer_components",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("definition", sa.JSON, nullable=False),
        sa.Column("folder", sa.Text, nullable=False),
        sa.Column("added", Timestamp, nullable=False),
    )
