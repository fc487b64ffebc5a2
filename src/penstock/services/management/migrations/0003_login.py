"""Signing in: passwords and second factors, tokens of people, codes that work once, and failed attempts."""

import sqlalchemy as sa
from alembic import op

from penstock.foundation.database import Timestamp

_TOKENS, _CODES = "management_access_tokens", "management_login_codes"


def upgrade() -> None:
    op.create_table(
        "management_logins",
        sa.Column("user_id", sa.BigInteger, primary_key=True),
        sa.Column("password_hash", sa.Text),
        sa.Column("password_changed", Timestamp),
        sa.Column("totp_cipher", sa.Text),
        sa.Column("is_totp_confirmed", sa.Boolean, nullable=False),
        sa.Column("totp_step", sa.BigInteger, nullable=False),
        sa.Column("recovery_hashes", sa.JSON, nullable=False),
    )
    op.create_table(
        _TOKENS,
        sa.Column("id", sa.BigInteger, primary_key=True),
        sa.Column("kind", sa.Text, nullable=False),
        *(sa.Column(name, sa.BigInteger, nullable=False) for name in ("user_id", "family_id")),
        sa.Column("secret_hash", sa.LargeBinary, nullable=False),
        sa.Column("description", sa.Text, nullable=False),
        sa.Column("created", Timestamp, nullable=False),
        *(sa.Column(name, Timestamp) for name in ("expires", "used")),
        sa.Column("project_ids", sa.JSON, nullable=False),
        sa.Column("only_reads", sa.Boolean, nullable=False),
    )
    op.create_index("management_access_tokens_of", _TOKENS, ["user_id", "kind"])
    op.create_index("management_access_tokens_family", _TOKENS, ["family_id"])
    op.create_table(
        _CODES,
        sa.Column("code_hash", sa.Text, primary_key=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("user_id", sa.BigInteger, nullable=False),
        sa.Column("label", sa.Text, nullable=False),
        sa.Column("data", sa.JSON, nullable=False),
        sa.Column("expires", Timestamp, nullable=False),
        sa.Column("used", Timestamp),
    )
    op.create_index("management_login_codes_by_label", _CODES, ["kind", "label"])
    op.create_table(
        "management_login_attempts",
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.Column("since", Timestamp, nullable=False),
        sa.Column("until", Timestamp),
    )
