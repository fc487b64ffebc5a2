"""Identifies a stack's key: a number derived from the key, stored in its database, which reveals nothing about the key.

A wrong key is as well-formed as the right one, and would be noticed only when the first secret cannot be decrypted; by
then other secrets would have been encrypted with it.
"""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import insert, select

from penstock.foundation.database import Transaction
from penstock.foundation.errors import Invalid
from penstock.foundation.ids import sequences

NAME = "key fingerprint"


class WrongKey(Invalid):
    def __init__(self, key: Path, place: str) -> None:
        super().__init__(
            f"The key at {key} is not the one that the secrets in {place} were encrypted with. Put that one back, or "
            "give its location: --key-file FILE. A backup that contains its key has it as the file `key`."
        )


def find_fingerprint(tx: Transaction) -> int | None:
    """None for a stack that was created before fingerprints were stored."""
    found = tx.value(select(sequences.c.value).where(sequences.c.name == NAME))
    return int(found) if found is not None else None


def keep_fingerprint(tx: Transaction, fingerprint: int) -> None:
    if find_fingerprint(tx) is None:
        tx.change(insert(sequences).values(name=NAME, value=fingerprint))
