"""The audit log, which only grows: entries cannot be changed, and not be deleted in their first 90 days."""

import sqlalchemy as sa
from alembic import op

from penstock.foundation.database import Timestamp

revision = "0020"
down_revision = "0019"

_SQLITE = (
    "CREATE TRIGGER foundation_audit_no_update BEFORE UPDATE ON foundation_audit "
    "BEGIN SELECT RAISE(ABORT, 'entries of the audit log cannot be changed'); END",
    "CREATE TRIGGER foundation_audit_no_delete BEFORE DELETE ON foundation_audit "
    "WHEN OLD.time > datetime('now', '-90 days') "
    "BEGIN SELECT RAISE(ABORT, 'entries of the audit log cannot be deleted for 90 days'); END",
)
_POSTGRESQL = (
    "CREATE FUNCTION foundation_audit_refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
    "IF TG_OP = 'DELETE' AND OLD.time <= (now() AT TIME ZONE 'UTC') - interval '90 days' THEN RETURN OLD; END IF; "
    "RAISE EXCEPTION 'entries of the audit log cannot be changed, and not be deleted for 90 days'; END $$",
    "CREATE TRIGGER foundation_audit_append_only BEFORE UPDATE OR DELETE ON foundation_audit "
    "FOR EACH ROW EXECUTE FUNCTION foundation_audit_refuse()",
    "CREATE TRIGGER foundation_audit_no_truncate BEFORE TRUNCATE ON foundation_audit "
    "FOR EACH STATEMENT EXECUTE FUNCTION foundation_audit_refuse()",
)


def upgrade() -> None:
    op.create_table(
        "foundation_audit",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True, autoincrement=True),
        sa.Column("time", Timestamp, nullable=False),
        sa.Column("project_id", sa.BigInteger, nullable=False),
        sa.Column("event", sa.Text, nullable=False),
        sa.Column("target", sa.Text, nullable=False),
        sa.Column("details", sa.JSON, nullable=False),
        sa.Column("token_id", sa.BigInteger),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("actor", "address", "user_agent")),
    )
    op.create_index("foundation_audit_by_project", "foundation_audit", ["project_id", "id"])
    op.create_index("foundation_audit_by_time", "foundation_audit", ["time"])
    for statement in _POSTGRESQL if op.get_context().dialect.name == "postgresql" else _SQLITE:
        op.execute(statement)
