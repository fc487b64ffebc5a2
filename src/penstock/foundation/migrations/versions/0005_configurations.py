"""Rows and versions of configurations, and branches that people make."""

from typing import Any

import sqlalchemy as sa
from alembic import op

from penstock.foundation.database import Timestamp

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    widen_configurations()
    widen_branches()
    make_versions()
    make_rows()
    make_row_versions()


def widen_configurations() -> None:
    """Record the creator of a configuration as who changed it last: it could not be changed so far."""
    with op.batch_alter_table("storage_configurations") as table:
        table.add_column(sa.Column("changer_id", sa.BigInteger, nullable=False, server_default="0"))
        table.add_column(sa.Column("changer_description", sa.Text, nullable=False, server_default=""))
        table.add_column(sa.Column("rows_sort_order", sa.JSON, nullable=False, server_default="[]"))
        table.add_column(sa.Column("is_deleted", sa.Boolean, nullable=False, server_default=sa.false()))
    op.execute("UPDATE storage_configurations SET changer_id = creator_id, changer_description = creator_description")
    with op.batch_alter_table("storage_configurations") as table:
        for name in ("changer_id", "changer_description", "rows_sort_order", "is_deleted"):
            table.alter_column(name, server_default=None)


def widen_branches() -> None:
    with op.batch_alter_table("storage_branches") as table:
        table.add_column(sa.Column("description", sa.Text, nullable=False, server_default=""))
        table.add_column(sa.Column("creator_id", sa.BigInteger))
        table.add_column(sa.Column("creator_name", sa.Text))
    with op.batch_alter_table("storage_branches") as table:
        table.alter_column("description", server_default=None)


def make_versions() -> None:
    op.create_table(
        "storage_configuration_versions",
        *_key(),
        sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
        *_content(),
        sa.Column("rows_sort_order", sa.JSON, nullable=False),
        sa.Column("is_deleted", sa.Boolean, nullable=False),
    )
    # What is there so far was never changed: it is its own only version.
    same = (
        "project_id, branch_id, component_id, version, name, description, configuration, is_disabled, "
        "change_description, version_identifier, rows_sort_order, is_deleted"
    )
    op.execute(
        f"INSERT INTO storage_configuration_versions ({same}, config_id, created, creator_id, creator_description) "
        f"SELECT {same}, id, changed, changer_id, changer_description FROM storage_configurations"
    )


def make_rows() -> None:
    op.create_table(
        "storage_configuration_rows",
        *_key(),
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
        *_content(),
        sa.Column("state", sa.LargeBinary, nullable=False),
    )


def make_row_versions() -> None:
    op.create_table(
        "storage_configuration_row_versions",
        *_key(),
        sa.Column("row_id", sa.Text, primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
        *_content(),
        sa.Column("since", sa.Integer, nullable=False),
        sa.Column("until", sa.Integer),
    )


def _key() -> list[sa.Column[Any]]:
    return [
        sa.Column("project_id", sa.BigInteger, primary_key=True),
        sa.Column("branch_id", sa.BigInteger, primary_key=True),
        sa.Column("component_id", sa.Text, primary_key=True),
        sa.Column("config_id", sa.Text, primary_key=True),
    ]


def _content() -> list[sa.Column[Any]]:
    return [
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("description", sa.Text, nullable=False),
        sa.Column("configuration", sa.LargeBinary, nullable=False),
        sa.Column("is_disabled", sa.Boolean, nullable=False),
        sa.Column("change_description", sa.Text, nullable=False),
        sa.Column("version_identifier", sa.Text, nullable=False),
        sa.Column("created", Timestamp, nullable=False),
        sa.Column("creator_id", sa.BigInteger, nullable=False),
        sa.Column("creator_description", sa.Text, nullable=False),
    ]
