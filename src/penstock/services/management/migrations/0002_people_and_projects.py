"""Users, organizations, maintainers and members; what else is known of a project.

Projects from before there were organizations belong to the first one.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

from penstock.foundation import clock
from penstock.foundation.database import Timestamp

_FIRST = 1
"""The id of the first maintainer, and of the first organization."""
_PROJECTS = "management_projects"


def upgrade() -> None:
    _make_people()
    _make_groups()
    _make_memberships()
    _make_features()
    _extend_projects()
    _make_first()


def _make_people() -> None:
    op.create_table(
        "management_users",
        sa.Column("id", sa.BigInteger, primary_key=True),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("email", "name")),
        sa.Column("created", Timestamp, nullable=False),
        *(sa.Column(name, sa.Boolean, nullable=False) for name in ("is_super_admin", "can_access_logs")),
        sa.Column("features", sa.JSON, nullable=False),
        sa.UniqueConstraint("email", name="management_users_email"),
    )
    op.add_column("management_tokens", sa.Column("user_id", sa.BigInteger))
    op.add_column("management_tokens", sa.Column("last_used", Timestamp))


def _make_groups() -> None:
    op.create_table(
        "management_maintainers",
        sa.Column("id", sa.BigInteger, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("created", Timestamp, nullable=False),
        sa.Column("defaults", sa.JSON, nullable=False),
    )
    op.create_table(
        "management_organizations",
        *(sa.Column(name, sa.BigInteger, nullable=False) for name in ("id", "maintainer_id")),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("created", Timestamp, nullable=False),
        *(sa.Column(name, sa.Boolean, nullable=False) for name in ("allow_auto_join", "mfa_required")),
        sa.Column("crm_id", sa.Text),
        sa.Column("activity_center_project_id", sa.BigInteger),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("management_organizations_of", "management_organizations", ["maintainer_id", "id"])


def _make_memberships() -> None:
    """Create the table of members: of a user in a maintainer, an organization or a project: `level` says in which of
    them `owner_id` is."""
    op.create_table(
        "management_members",
        *_owner(),
        sa.Column("user_id", sa.BigInteger, nullable=False),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("role", "reason")),
        sa.Column("created", Timestamp, nullable=False),
        sa.Column("expires", Timestamp),
        *(sa.Column(name, sa.BigInteger) for name in ("invitor_id", "approver_id")),
        sa.PrimaryKeyConstraint("level", "owner_id", "user_id"),
    )
    op.create_index("management_members_by_user", "management_members", ["user_id", "level"])
    op.create_table(
        "management_invitations",
        sa.Column("id", sa.BigInteger, primary_key=True),
        *_owner(),
        *(sa.Column(name, sa.BigInteger, nullable=False) for name in ("user_id", "creator_id")),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("role", "reason")),
        sa.Column("created", Timestamp, nullable=False),
        *(sa.Column(name, Timestamp) for name in ("expires", "valid_until")),
        sa.Column("code_hash", sa.LargeBinary),
        sa.UniqueConstraint("level", "owner_id", "user_id", name="management_invitations_once"),
    )
    op.create_index("management_invitations_by_user", "management_invitations", ["user_id", "level"])
    op.create_table(
        "management_join_requests",
        *(sa.Column(name, sa.BigInteger, nullable=False) for name in ("id", "project_id", "user_id")),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("created", Timestamp, nullable=False),
        sa.Column("expires", Timestamp),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("project_id", "user_id", name="management_join_requests_once"),
    )
    op.create_index("management_join_requests_by_user", "management_join_requests", ["user_id"])
    op.create_table(
        "management_metadata",
        sa.Column("id", sa.BigInteger, primary_key=True),
        *_owner(),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("provider", "key", "value")),
        sa.Column("timestamp", Timestamp, nullable=False),
        sa.UniqueConstraint("level", "owner_id", "provider", "key", name="management_metadata_once"),
    )


def _owner() -> tuple[sa.Column[str], sa.Column[int]]:
    return sa.Column("level", sa.Text, nullable=False), sa.Column("owner_id", sa.BigInteger, nullable=False)


def _make_features() -> None:
    op.create_table(
        "management_features",
        sa.Column("id", sa.BigInteger, primary_key=True),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("name", "type", "title", "description")),
        *(
            sa.Column(name, sa.Boolean, nullable=False)
            for name in ("can_be_managed_by_admin", "can_be_managed_via_api")
        ),
        sa.Column("created", Timestamp, nullable=False),
        sa.UniqueConstraint("type", "name", name="management_features_name"),
    )


def _extend_projects() -> None:
    op.add_column(_PROJECTS, sa.Column("organization_id", sa.BigInteger, nullable=False, server_default=str(_FIRST)))
    op.add_column(_PROJECTS, sa.Column("type", sa.Text, nullable=False, server_default="production"))
    op.add_column(_PROJECTS, sa.Column("default_backend", sa.Text, nullable=False, server_default="snowflake"))
    op.add_column(_PROJECTS, sa.Column("data_retention_days", sa.Integer, nullable=False, server_default="7"))
    op.add_column(_PROJECTS, sa.Column("has_try_mode", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column(_PROJECTS, sa.Column("limits", sa.JSON, nullable=False, server_default="{}"))
    op.add_column(_PROJECTS, sa.Column("is_disabled", sa.Boolean, nullable=False, server_default=sa.false()))
    for name in ("timezone", "disable_reason", "billed_monthly_price"):
        op.add_column(_PROJECTS, sa.Column(name, sa.Text))
    for name in ("expires", "enabled_again", "deleted", "purged"):
        op.add_column(_PROJECTS, sa.Column(name, Timestamp))
    op.create_index("management_projects_of", _PROJECTS, ["organization_id", "id"])
    op.create_table(
        "management_credits",
        *(sa.Column(name, sa.BigInteger, nullable=False) for name in ("id", "project_id")),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("amount", "description")),
        sa.Column("created", Timestamp, nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("management_credits_of", "management_credits", ["project_id", "id"])


def _make_first() -> None:
    """Create the first ones in every stack, so that a project always has an organization."""
    first = {"id": _FIRST, "created": clock.now()}
    maintainers = _table("management_maintainers", "name", sa.column("defaults", sa.JSON))
    op.execute(maintainers.insert().values(**first, name="Maintainer", defaults={}))
    organizations = _table("management_organizations", "name", "maintainer_id", "allow_auto_join", "mfa_required")
    belongs = {"name": "My organization", "maintainer_id": _FIRST}
    op.execute(organizations.insert().values(**first, **belongs, allow_auto_join=sa.true(), mfa_required=sa.false()))


def _table(name: str, *columns: str | sa.ColumnClause[Any]) -> sa.TableClause:
    others: list[sa.ColumnClause[Any]] = [sa.column(each) if isinstance(each, str) else each for each in columns]
    return sa.table(name, sa.column("id"), sa.column("created", Timestamp), *others)
