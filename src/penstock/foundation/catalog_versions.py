"""Which version each catalog of tables has at least, noted in the database with what a commit to it has changed.

The catalog commits first and the database second. So a note may be behind its catalog, but a catalog that is behind its
note is an older copy: the rows that came later are missing from it.
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import delete, select
from sqlalchemy.dialects import postgresql, sqlite

from penstock.foundation.database import Transaction
from penstock.foundation.ids import sequences

PREFIX = "catalog "
"""Before the name of the catalog's folder."""


def find_version(tx: Transaction, catalog: str) -> int:
    """0 for a catalog of which nothing was noted."""
    found = tx.value(select(sequences.c.value).where(sequences.c.name == f"{PREFIX}{catalog}"))
    return int(found or 0)


def note_versions(tx: Transaction, versions: Mapping[str, int]) -> None:
    """By the names of the catalogs' folders. A note never gets smaller."""
    if versions:
        insert = (postgresql if tx.is_side_by_side else sqlite).insert(sequences)
        newer = insert.on_conflict_do_update(
            index_elements=[sequences.c.name],
            set_={"value": insert.excluded.value},
            where=sequences.c.value < insert.excluded.value,
        )
        tx.change(newer, [{"name": f"{PREFIX}{catalog}", "value": each} for catalog, each in versions.items()])


def forget_versions(tx: Transaction, bucket: int) -> None:
    """Of a bucket that is dropped: its number is never used again."""
    first = f"{PREFIX}{bucket}"
    tx.change(delete(sequences).where((sequences.c.name == first) | sequences.c.name.like(f"{first}-%")))
