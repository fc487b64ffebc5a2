"""What ciphers are bound to that are stored as their client made them.

Secrets in the vault are for any host. That is recorded for those that are there, so that one which is copied into a
configuration is not bound to its hosts.
"""

from __future__ import annotations

import msgspec
import sqlalchemy as sa
from alembic import op

from penstock.foundation.secrets import Label, digest_of
from penstock.foundation.secrets.documents import kind_of


def upgrade() -> None:
    bindings = op.create_table(
        "encryption_bindings",
        sa.Column("digest", sa.Text, primary_key=True),
        sa.Column("label_digest", sa.Text, primary_key=True),
        sa.Column("label", sa.Text, nullable=False),
    )
    rows = {row["digest"]: row for row in map(_to_row, _list_vault_ciphers()) if row}
    if rows:
        op.bulk_insert(bindings, list(rows.values()))


def _list_vault_ciphers() -> list[str]:
    connection = op.get_bind()
    if not sa.inspect(connection).has_table("vault_variables"):
        return []
    value = sa.column("value", sa.Text)
    query = sa.select(value).select_from(sa.table("vault_variables")).where(value.like("KBC::%"))
    return list(connection.scalars(query))


def _to_row(cipher: str) -> dict[str, str] | None:
    digest, kind = digest_of(cipher), kind_of(cipher)
    if not digest or not kind:
        return None
    return {"digest": digest, "label_digest": "", "label": msgspec.json.encode(Label(kind=kind)).decode()}
