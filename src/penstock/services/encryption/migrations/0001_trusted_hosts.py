"""Hosts that secrets of a project may move to."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op


def upgrade() -> None:
    op.create_table(
        "encryption_trusted_hosts",
        sa.Column("project_id", sa.BigInteger, primary_key=True),
        sa.Column("host", sa.Text, primary_key=True),
    )
