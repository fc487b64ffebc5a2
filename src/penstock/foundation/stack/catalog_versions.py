"""The minimum version of each catalog of tables, recorded in the database with the effects of a commit.

The catalog commits first and the database second. So a record may be behind its catalog, but a catalog that is behind
its record is an older copy: the rows that were added later are missing from it.
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import delete, select
from sqlalchemy.dialects import postgresql, sqlite

from penstock.foundation.database import Transaction
from penstock.foundation.ids import sequences

PREFIX = "catalog "
"""Prefix of the name of the catalog's folder."""


def find_version(tx: Transaction, catalog: str) -> int:
    """0 for a catalog without a record."""
    found = tx.value(select(sequences.c.value).where(sequences.c.name == f"{PREFIX}{catalog}"))
    return int(found or 0)


def note_versions(tx: Transaction, versions: Mapping[str, int]) -> None:
    """Record versions by the names of the catalogs' folders. A recorded version never decreases."""
    if versions:
        insert = (postgresql if tx.has_concurrent_writers else sqlite).insert(sequences)
        newer = insert.on_conflict_do_update(
            index_elements=[sequences.c.name],
            set_={"value": insert.excluded.value},
            where=sequences.c.value < insert.excluded.value,
        )
        tx.change(newer, [{"name": f"{PREFIX}{catalog}", "value": each} for catalog, each in versions.items()])


def forget_versions(tx: Transaction, bucket: int) -> None:
    """Delete the versions of a dropped bucket: its number is never reused."""
    first = f"{PREFIX}{bucket}"
    tx.change(delete(sequences).where((sequences.c.name == first) | sequences.c.name.like(f"{first}-%")))
