"""Documents, and all their revisions."""

import sqlalchemy as sa
from alembic import op

from penstock.foundation.database import Timestamp


def upgrade() -> None:
    op.create_table(
        "metastore_documents",
        sa.Column("id", sa.Text, primary_key=True),
        *(
            sa.Column(name, sa.BigInteger, nullable=False)
            for name in ("number", "project_id", "organization_id", "revision")
        ),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("type", "scope", "name", "schema_version")),
        sa.Column("branch_id", sa.BigInteger),
        sa.Column("attributes", sa.JSON, nullable=False),
        *(sa.Column(name, Timestamp, nullable=False) for name in ("created", "updated")),
        sa.Column("deleted", Timestamp),
    )
    op.create_index("metastore_documents_by_project", "metastore_documents", ["project_id", "type", "number"])
    op.create_index("metastore_documents_by_organization", "metastore_documents", ["organization_id", "type", "number"])
    op.create_table(
        "metastore_revisions",
        sa.Column("document_id", sa.Text, primary_key=True),
        sa.Column("revision", sa.BigInteger, primary_key=True),
        sa.Column("project_id", sa.BigInteger, nullable=False),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("name", "schema_version")),
        sa.Column("attributes", sa.JSON, nullable=False),
        sa.Column("created", Timestamp, nullable=False),
    )
