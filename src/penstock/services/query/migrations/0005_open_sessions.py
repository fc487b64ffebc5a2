"""Sessions whose last job left a transaction, temporary tables or variables."""

from alembic import op


def upgrade() -> None:
    op.rename_table("query_open_transactions", "query_open_sessions")
