"""The codes of a statement's error."""

import sqlalchemy as sa
from alembic import op


def upgrade() -> None:
    with op.batch_alter_table("query_statements") as table:
        table.add_column(sa.Column("error_code", sa.Text))
        table.add_column(sa.Column("sql_state", sa.Text))
