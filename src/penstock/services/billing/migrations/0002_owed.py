"""What of an entry is to be paid: nothing of what was used before a project paid as it goes.

When a project began to is not recorded, so one that does now owes all of its entries, as before. The others owe
nothing.
"""

import sqlalchemy as sa
from alembic import op

_PAYING = "(SELECT id FROM management_projects WHERE CAST(features AS TEXT) LIKE '%\"pay-as-you-go\"%')"
_REFUSE = "entries of the ledger cannot be changed or deleted"
_MEASURES = ("duration", "free", "bytes", "rows", "amount")
_KEY = ("project_id", "day", "kind", "component", "configuration")
_ADD_TO_DAY = (
    f"INSERT INTO billing_days ({', '.join(_KEY)}, entries, {', '.join(_MEASURES)}) "
    f"VALUES ({', '.join(f'NEW.{name}' for name in _KEY)}, 1, {', '.join(f'NEW.{name}' for name in _MEASURES)}) "
    f"ON CONFLICT ({', '.join(_KEY)}) DO UPDATE SET "
    + ", ".join(f"{name} = billing_days.{name} + excluded.{name}" for name in ("entries", *_MEASURES))
)
_ADD_TO_ACCOUNT = (
    "INSERT INTO billing_accounts (project_id, jobs, workspaces, owed, free, month) VALUES (NEW.project_id, "
    "CASE WHEN NEW.kind IN ('job', 'reportedJob') THEN NEW.amount ELSE 0 END, "
    "CASE WHEN NEW.kind IN ('job', 'reportedJob') THEN 0 ELSE NEW.amount END, "
    "NEW.owed, NEW.free, substr(NEW.day, 1, 7)) "
    "ON CONFLICT (project_id) DO UPDATE SET jobs = billing_accounts.jobs + excluded.jobs, "
    "workspaces = billing_accounts.workspaces + excluded.workspaces, "
    "owed = billing_accounts.owed + excluded.owed, free = excluded.free + "
    "CASE WHEN billing_accounts.month >= excluded.month THEN billing_accounts.free ELSE 0 END, month = "
    "CASE WHEN billing_accounts.month > excluded.month THEN billing_accounts.month ELSE excluded.month END"
)
_WITHOUT_TRIGGERS = {
    "sqlite": ("DROP TRIGGER billing_entries_no_update", "DROP TRIGGER billing_entries_totals"),
    "postgresql": ("ALTER TABLE billing_entries DISABLE TRIGGER billing_entries_append_only",),
}
_WITH_TRIGGERS = {
    "sqlite": (
        "CREATE TRIGGER billing_entries_no_update BEFORE UPDATE ON billing_entries "
        f"BEGIN SELECT RAISE(ABORT, '{_REFUSE}'); END",
        "CREATE TRIGGER billing_entries_totals AFTER INSERT ON billing_entries "
        f"BEGIN {_ADD_TO_DAY}; {_ADD_TO_ACCOUNT}; END",
    ),
    "postgresql": (
        "ALTER TABLE billing_entries ENABLE TRIGGER billing_entries_append_only",
        "CREATE OR REPLACE FUNCTION billing_entries_add() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        f"{_ADD_TO_DAY}; {_ADD_TO_ACCOUNT}; RETURN NULL; END $$",
    ),
}


def upgrade() -> None:
    dialect = op.get_context().dialect.name
    for table in ("billing_entries", "billing_accounts"):
        op.add_column(table, sa.Column("owed", sa.BigInteger, nullable=False, server_default="0"))
    for statement in _WITHOUT_TRIGGERS[dialect]:
        op.execute(statement)
    op.execute(f"UPDATE billing_entries SET owed = amount WHERE project_id IN {_PAYING}")
    op.execute(f"UPDATE billing_accounts SET owed = jobs + workspaces WHERE project_id IN {_PAYING}")
    for statement in _WITH_TRIGGERS[dialect]:
        op.execute(statement)
