"""Authorizations know the sign-in, or the personal access token, that they were begun with."""

import sqlalchemy as sa
from alembic import op


def upgrade() -> None:
    column = sa.Column("sign_in_id", sa.BigInteger, nullable=False, server_default="0")
    op.add_column("oauth_authorizations", column)
