"""When tokens of people were last used."""

import sqlalchemy as sa
from alembic import op

from penstock.foundation.database import Timestamp


def upgrade() -> None:
    op.add_column("management_access_tokens", sa.Column("last_used", Timestamp))
