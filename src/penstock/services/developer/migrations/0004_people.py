"""Sign-ups, invitations and requests to join a vendor, and icons. Vendors of the operator are approved."""

import sqlalchemy as sa
from alembic import op

from penstock.foundation.database import Timestamp


def upgrade() -> None:
    vendors = sa.table("developer_vendors", sa.column("is_approved", sa.Boolean), sa.column("created_by", sa.Text))
    op.execute(vendors.update().where(vendors.c.created_by == "operator").values(is_approved=True))
    op.create_table(
        "developer_sign_ups",
        sa.Column("email", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("password_hash", sa.Text, nullable=False),
        sa.Column("code_hash", sa.LargeBinary, nullable=False),
        *(sa.Column(name, Timestamp, nullable=False) for name in ("created", "expires")),
    )
    op.create_table(
        "developer_invitations",
        sa.Column("vendor_id", sa.Text, primary_key=True),
        sa.Column("email", sa.Text, primary_key=True),
        sa.Column("code_hash", sa.LargeBinary, nullable=False),
        *(sa.Column(name, Timestamp, nullable=False) for name in ("created", "expires")),
        sa.Column("created_by", sa.Text, nullable=False),
    )
    op.create_table(
        "developer_join_requests",
        sa.Column("vendor_id", sa.Text, primary_key=True),
        sa.Column("user_id", sa.BigInteger, primary_key=True),
        sa.Column("created", Timestamp, nullable=False),
    )
    op.create_table(
        "developer_icons",
        sa.Column("sha256", sa.Text, primary_key=True),
        sa.Column("content", sa.LargeBinary, nullable=False),
        sa.Column("created", Timestamp, nullable=False),
    )
