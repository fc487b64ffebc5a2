"""Events between services wait in an outbox until they are delivered."""

from typing import Any

import sqlalchemy as sa
from alembic import op

from penstock.foundation.database import Timestamp

revision = "0017"
down_revision = "0016"

_UNFINISHED, _RUNNING = sa.text("NOT is_finished"), sa.text("NOT is_finished AND worker IS NOT NULL")


def upgrade() -> None:
    op.create_table(
        "foundation_outbox",
        sa.Column("id", sa.BigInteger, primary_key=True),
        sa.Column("project_id", sa.BigInteger, nullable=False),
        sa.Column("event", sa.Text, nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
        sa.Column("reaction", sa.Text, nullable=False),
        sa.Column("delayed_until", Timestamp),
        sa.Column("error", sa.Text),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("is_finished", sa.Boolean, nullable=False),
        sa.Column("created_time", Timestamp, nullable=False),
        sa.Column("start_time", Timestamp),
        sa.Column("end_time", Timestamp),
        sa.Column("attempt", sa.Integer, nullable=False),
        sa.Column("worker", sa.Text),
        sa.Column("lease_until", Timestamp),
        sa.Column("lost_leases", sa.Integer, nullable=False),
    )
    _index("unfinished", ["project_id", "id"], _UNFINISHED)
    _index("unfinished_by_reaction", ["project_id", "reaction", "id"], _UNFINISHED)
    _index("running", ["project_id"], _RUNNING)
    op.create_index("foundation_outbox_by_end", "foundation_outbox", ["status", "end_time"])


def _index(name: str, columns: list[str], where: sa.TextClause) -> None:
    only: dict[str, Any] = {"sqlite_where": where, "postgresql_where": where}
    op.create_index(f"foundation_outbox_{name}", "foundation_outbox", columns, **only)
