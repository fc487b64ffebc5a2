"""Consumers, authorizations that are under way, and credentials."""

from collections.abc import Iterator

import sqlalchemy as sa
from alembic import op

from penstock.foundation.database import Timestamp


def upgrade() -> None:
    op.create_table(
        "oauth_consumers",
        sa.Column("component_id", sa.Text, primary_key=True),
        *_texts("friendly_name", "oauth_version", "auth_url", "token_url"),
        sa.Column("request_token_url", sa.Text),
        *_texts("app_key", "app_secret", "app_secret_docker"),
        *_flags("restrict_custom_auth", "use_pkce", "refresh_tokens"),
        sa.Column("created", Timestamp, nullable=False),
    )
    op.create_table(
        "oauth_authorizations",
        sa.Column("state", sa.Text, primary_key=True),
        *_numbers("project_id", "branch_id", "creator_id"),
        *_texts("session", "component_id", "id", "authorized_for", "creator_description", "return_url"),
        *_texts("redirect_uri", "oauth_version", "app_key", "app_secret", "component_secret", "token_url", "verifier"),
        *_flags("is_custom"),
        sa.Column("expires", Timestamp, nullable=False),
    )
    op.create_index("oauth_authorizations_by_project", "oauth_authorizations", ["project_id", "expires"])
    op.create_table(
        "oauth_credentials",
        sa.Column("number", sa.BigInteger, primary_key=True),
        *_numbers("project_id", "branch_id", "creator_id", "revision"),
        *_texts("component_id", "id", "authorized_for", "creator_description"),
        *_texts("oauth_version", "app_key", "app_secret", "data"),
        *(sa.Column(name, sa.Text) for name in ("token_url", "refresh_attempt")),
        *(sa.Column(name, Timestamp) for name in ("expires", "refresh_until")),
        sa.Column("created", Timestamp, nullable=False),
    )
    key = ["project_id", "component_id", "id", "branch_id"]
    op.create_index("oauth_credentials_by_id", "oauth_credentials", key, unique=True)


def _texts(*names: str) -> Iterator[sa.Column[str]]:
    return (sa.Column(name, sa.Text, nullable=False) for name in names)


def _numbers(*names: str) -> Iterator[sa.Column[int]]:
    return (sa.Column(name, sa.BigInteger, nullable=False) for name in names)


def _flags(*names: str) -> Iterator[sa.Column[bool]]:
    return (sa.Column(name, sa.Boolean, nullable=False) for name in names)
