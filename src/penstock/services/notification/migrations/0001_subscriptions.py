"""Subscriptions, their deliveries, and the secrets that sign webhooks."""

import sqlalchemy as sa
from alembic import op

from penstock.foundation.database import Timestamp

_UNFINISHED, _RUNNING = sa.text("NOT is_finished"), sa.text("NOT is_finished AND worker IS NOT NULL")


def upgrade() -> None:
    _make_subscriptions()
    _make_deliveries()
    op.create_table(
        "notification_secrets",
        sa.Column("project_id", sa.BigInteger, primary_key=True),
        sa.Column("secret", sa.Text, nullable=False),
    )


def _make_subscriptions() -> None:
    op.create_table(
        "notification_subscriptions",
        *(sa.Column(name, sa.BigInteger, nullable=False) for name in ("id", "project_id", "creator_id")),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("event", "channel", "address")),
        sa.Column("filters", sa.JSON, nullable=False),
        sa.Column("created", Timestamp, nullable=False),
        sa.Column("expires", Timestamp),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("notification_subscriptions_by_event", "notification_subscriptions", ["project_id", "event", "id"])
    op.create_index("notification_subscriptions_projects", "notification_subscriptions", ["event", "project_id"])


def _make_deliveries() -> None:
    op.create_table(
        "notification_deliveries",
        sa.Column("id", sa.BigInteger, primary_key=True),
        sa.Column("project_id", sa.BigInteger, nullable=False),
        sa.Column("subscription_id", sa.BigInteger),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("event", "channel", "address", "status")),
        sa.Column("content", sa.LargeBinary, nullable=False),
        sa.Column("unique_id", sa.Text),
        sa.Column("error", sa.Text),
        sa.Column("is_finished", sa.Boolean, nullable=False),
        sa.Column("created_time", Timestamp, nullable=False),
        *(sa.Column(name, Timestamp) for name in ("start_time", "end_time", "lease_until", "delayed_until")),
        *(sa.Column(name, sa.Integer, nullable=False) for name in ("attempt", "lost_leases")),
        sa.Column("worker", sa.Text),
    )
    op.create_index(
        "notification_deliveries_unfinished",
        "notification_deliveries",
        ["project_id", "id"],
        sqlite_where=_UNFINISHED,
        postgresql_where=_UNFINISHED,
    )
    op.create_index(
        "notification_deliveries_running",
        "notification_deliveries",
        ["project_id"],
        sqlite_where=_RUNNING,
        postgresql_where=_RUNNING,
    )
    op.create_index("notification_deliveries_by_project", "notification_deliveries", ["project_id", "id"])
    op.create_index(
        "notification_deliveries_by_subscription", "notification_deliveries", ["project_id", "subscription_id", "id"]
    )
    op.create_index(
        "notification_deliveries_once", "notification_deliveries", ["subscription_id", "unique_id"], unique=True
    )
    op.create_index("notification_deliveries_by_end", "notification_deliveries", ["end_time"])
