"""Where in a statement its error is."""

import sqlalchemy as sa
from alembic import op


def upgrade() -> None:
    with op.batch_alter_table("query_statements") as table:
        table.add_column(sa.Column("error_position", sa.JSON))
