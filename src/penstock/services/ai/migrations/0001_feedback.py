"""What users thought of answers."""

import sqlalchemy as sa
from alembic import op

from penstock.foundation.database import Timestamp


def upgrade() -> None:
    op.create_table(
        "ai_feedback",
        sa.Column("id", sa.BigInteger, primary_key=True),
        *(sa.Column(name, sa.BigInteger, nullable=False) for name in ("project_id", "token_id")),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("value", "correlation_id", "comment")),
        sa.Column("subject", sa.JSON, nullable=False),
        sa.Column("created", Timestamp, nullable=False),
    )
    op.create_index("ai_feedback_by_project", "ai_feedback", ["project_id", "id"])
