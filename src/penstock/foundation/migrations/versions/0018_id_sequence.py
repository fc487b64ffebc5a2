"""On PostgreSQL ids come from a sequence of the server, so that writers of different projects do not wait for a row."""

from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    if op.get_context().dialect.name != "postgresql":
        return
    op.execute("CREATE SEQUENCE foundation_ids")
    op.execute("SELECT setval('foundation_ids', value + 1, false) FROM foundation_sequences WHERE name = 'ids'")
    op.execute("DELETE FROM foundation_sequences WHERE name = 'ids'")
