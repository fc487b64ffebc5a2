"""The password of a workspace ends with the token that was told it."""

import sqlalchemy as sa
from alembic import op


def upgrade() -> None:
    for name in ("holder_id", "holder_sign_in_id"):
        op.add_column("storage_workspaces", sa.Column(name, sa.BigInteger, nullable=False, server_default="0"))
