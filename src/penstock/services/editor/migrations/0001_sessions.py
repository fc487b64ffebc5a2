"""Sessions of the editor."""

import sqlalchemy as sa
from alembic import op

from penstock.foundation.database import Timestamp


def upgrade() -> None:
    op.create_table(
        "editor_sessions",
        sa.Column("id", sa.Text, primary_key=True),
        *(
            sa.Column(name, sa.BigInteger, nullable=False)
            for name in ("project_id", "branch_id", "token_id", "workspace_id")
        ),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("workspace_schema", "workspace_database", "status")),
        *(sa.Column(name, sa.Text) for name in ("component_id", "configuration_id", "login_type", "last_error")),
        sa.Column("job_ids", sa.JSON, nullable=False),
        *(sa.Column(name, Timestamp, nullable=False) for name in ("created", "updated")),
        sa.Column("last_loaded", Timestamp),
    )
    op.create_index("editor_sessions_by_project", "editor_sessions", ["project_id", "created"])
