"""Programs that register themselves to be let in by a person, and the tokens that they get."""

import sqlalchemy as sa
from alembic import op

from penstock.foundation.database import Timestamp

_TOKENS = "management_access_tokens"


def upgrade() -> None:
    for name in ("client_id", "resource"):
        op.add_column(_TOKENS, sa.Column(name, sa.Text, nullable=False, server_default=""))
    op.create_table(
        "management_login_clients",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("redirect_uris", sa.JSON, nullable=False),
        sa.Column("created", Timestamp, nullable=False),
        sa.Column("used", Timestamp),
    )
    op.create_index("management_login_clients_by_use", "management_login_clients", ["used", "created"])
