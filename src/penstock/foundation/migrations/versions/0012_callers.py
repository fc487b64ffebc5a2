"""Changes of what callers may do are counted."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    sequences = sa.table("foundation_sequences", sa.column("name", sa.Text), sa.column("value", sa.BigInteger))
    op.bulk_insert(sequences, [{"name": "callers", "value": 0}])
