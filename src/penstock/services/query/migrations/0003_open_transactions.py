"""Sessions whose last job left a transaction open."""

import sqlalchemy as sa
from alembic import op

from penstock.foundation.database import Timestamp


def upgrade() -> None:
    op.create_table(
        "query_open_transactions",
        *(sa.Column(name, sa.BigInteger, nullable=False) for name in ("project_id", "workspace_id")),
        *(sa.Column(name, kind, nullable=False) for name, kind in (("session_id", sa.Text), ("since", Timestamp))),
        sa.PrimaryKeyConstraint("project_id", "workspace_id", "session_id"),
    )
