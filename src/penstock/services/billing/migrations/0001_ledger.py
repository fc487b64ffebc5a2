"""The ledger, which only grows, and its totals by day and by project.

Triggers refuse changes of entries, and add each new one to the totals: no statement of ours can leave them apart, and
the end of a job takes one statement for all three tables.
"""

import sqlalchemy as sa
from alembic import op

from penstock.foundation.database import Timestamp

_MEASURES = ("duration", "free", "bytes", "rows", "amount")
_KEY = ("project_id", "day", "kind", "component", "configuration")
_ADD_TO_DAY = (
    f"INSERT INTO billing_days ({', '.join(_KEY)}, entries, {', '.join(_MEASURES)}) "
    f"VALUES ({', '.join(f'NEW.{name}' for name in _KEY)}, 1, {', '.join(f'NEW.{name}' for name in _MEASURES)}) "
    f"ON CONFLICT ({', '.join(_KEY)}) DO UPDATE SET "
    + ", ".join(f"{name} = billing_days.{name} + excluded.{name}" for name in ("entries", *_MEASURES))
)
_ADD_TO_ACCOUNT = (
    "INSERT INTO billing_accounts (project_id, jobs, workspaces, free, month) VALUES (NEW.project_id, "
    "CASE WHEN NEW.kind IN ('job', 'reportedJob') THEN NEW.amount ELSE 0 END, "
    "CASE WHEN NEW.kind IN ('job', 'reportedJob') THEN 0 ELSE NEW.amount END, NEW.free, substr(NEW.day, 1, 7)) "
    "ON CONFLICT (project_id) DO UPDATE SET jobs = billing_accounts.jobs + excluded.jobs, "
    "workspaces = billing_accounts.workspaces + excluded.workspaces, free = excluded.free + "
    "CASE WHEN billing_accounts.month >= excluded.month THEN billing_accounts.free ELSE 0 END, month = "
    "CASE WHEN billing_accounts.month > excluded.month THEN billing_accounts.month ELSE excluded.month END"
)
_SQLITE = (
    *(
        f"CREATE TRIGGER billing_entries_no_{what.lower()} BEFORE {what} ON billing_entries "
        "BEGIN SELECT RAISE(ABORT, 'entries of the ledger cannot be changed or deleted'); END"
        for what in ("UPDATE", "DELETE")
    ),
    f"CREATE TRIGGER billing_entries_totals AFTER INSERT ON billing_entries "
    f"BEGIN {_ADD_TO_DAY}; {_ADD_TO_ACCOUNT}; END",
)
_POSTGRESQL = (
    "CREATE FUNCTION billing_entries_refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
    "RAISE EXCEPTION 'entries of the ledger cannot be changed or deleted'; END $$",
    "CREATE TRIGGER billing_entries_append_only BEFORE UPDATE OR DELETE ON billing_entries "
    "FOR EACH ROW EXECUTE FUNCTION billing_entries_refuse()",
    "CREATE TRIGGER billing_entries_no_truncate BEFORE TRUNCATE ON billing_entries "
    "FOR EACH STATEMENT EXECUTE FUNCTION billing_entries_refuse()",
    f"CREATE FUNCTION billing_entries_add() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
    f"{_ADD_TO_DAY}; {_ADD_TO_ACCOUNT}; RETURN NULL; END $$",
    "CREATE TRIGGER billing_entries_totals AFTER INSERT ON billing_entries "
    "FOR EACH ROW EXECUTE FUNCTION billing_entries_add()",
)


def upgrade() -> None:
    op.create_table(
        "billing_entries",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True, autoincrement=True),
        sa.Column("project_id", sa.BigInteger, nullable=False),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("kind", "reference", "component", "configuration")),
        sa.Column("day", sa.Text, nullable=False),
        sa.Column("created", Timestamp, nullable=False),
        *(sa.Column(name, sa.BigInteger, nullable=False) for name in _MEASURES),
        *(sa.Column(name, sa.BigInteger, nullable=False) for name in ("hour_price", "gigabyte_price")),
        sa.UniqueConstraint("project_id", "kind", "reference", name="billing_entries_once"),
    )
    op.create_index("billing_entries_by_project", "billing_entries", ["project_id", "id"])
    op.create_table(
        "billing_days",
        sa.Column("project_id", sa.BigInteger, nullable=False),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("day", "kind", "component", "configuration")),
        sa.Column("entries", sa.BigInteger, nullable=False),
        *(sa.Column(name, sa.BigInteger, nullable=False) for name in _MEASURES),
        sa.PrimaryKeyConstraint("project_id", "day", "kind", "component", "configuration"),
    )
    op.create_index("billing_days_by_day", "billing_days", ["day", "project_id"])
    op.create_table(
        "billing_accounts",
        sa.Column("project_id", sa.BigInteger, primary_key=True),
        *(sa.Column(name, sa.BigInteger, nullable=False) for name in ("jobs", "workspaces", "free")),
        sa.Column("month", sa.Text, nullable=False),
    )
    for statement in _POSTGRESQL if op.get_context().dialect.name == "postgresql" else _SQLITE:
        op.execute(statement)
