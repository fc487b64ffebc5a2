"""A response that is sent again has the content type of the first; rows without one are JSON, or have no content."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    op.add_column("web_repeats", sa.Column("media_type", sa.Text))
