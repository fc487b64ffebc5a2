"""Indexes for the search by name, and for that of tables by their metadata."""

from alembic import op


def upgrade() -> None:
    of_branch = ["project_id", "branch_id", "is_deleted", "component_id", "id"]
    op.create_index("storage_configurations_of_branch", "storage_configurations", of_branch)
    op.create_index("storage_metadata_by_key", "storage_metadata", ["project_id", "branch_id", "kind", "key"])
