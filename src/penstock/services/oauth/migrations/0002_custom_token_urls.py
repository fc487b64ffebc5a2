"""A column of authorizations is named as what it holds: whether the token URL is a custom one."""

from alembic import op


def upgrade() -> None:
    op.execute("ALTER TABLE oauth_authorizations RENAME COLUMN is_custom TO has_custom_token_url")
