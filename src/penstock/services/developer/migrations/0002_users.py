"""Users of the stack: their vendors, and their logins."""

import sqlalchemy as sa
from alembic import op

from penstock.foundation.database import Timestamp


def upgrade() -> None:
    op.create_table(
        "developer_members",
        sa.Column("vendor_id", sa.Text, primary_key=True),
        sa.Column("user_id", sa.BigInteger, primary_key=True),
        sa.Column("created", Timestamp, nullable=False),
        sa.Column("created_by", sa.Text, nullable=False),
    )
    op.create_index("developer_members_by_user", "developer_members", ["user_id"])
    op.add_column("developer_logins", sa.Column("sign_in_id", sa.BigInteger))
