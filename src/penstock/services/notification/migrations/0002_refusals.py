"""Deliveries that the stack's own settings refuse, which are kept."""

import sqlalchemy as sa
from alembic import op


def upgrade() -> None:
    op.add_column("notification_deliveries", sa.Column("refused_by", sa.Text))
    op.add_column("notification_deliveries", sa.Column("refusals", sa.Integer, nullable=False, server_default="0"))
