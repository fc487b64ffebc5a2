"""Identifies a stack's newest key: a number derived from it, stored in the database, which reveals nothing about it.

A wrong key is as well-formed as the right one, and would be noticed only when the first secret cannot be decrypted; by
then other secrets would have been encrypted with it.
"""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import insert, select, update

from penstock.foundation.database import Transaction
from penstock.foundation.errors import Invalid
from penstock.foundation.ids import sequences

NAME, REWRAPPED = "key fingerprint", "key rewrapped"
UNFINISHED = -1
"""Kept as `REWRAPPED` while a rotation is under way: no key has this fingerprint."""


class WrongKey(Invalid):
    def __init__(self, key: Path, place: str) -> None:
        super().__init__(
            f"The key at {key} is not the one that the secrets in {place} were encrypted with. Put that one back, or "
            "give its location: --key-file FILE. A backup that contains its key has it as the file `key`."
        )


def find_fingerprint(tx: Transaction, name: str = NAME) -> int | None:
    """Return the fingerprint of the newest key, or of the one that all stored ciphers are wrapped with (`REWRAPPED`);
    None if it is not known, as in a stack from before fingerprints were stored."""
    found = tx.value(select(sequences.c.value).where(sequences.c.name == name))
    return int(found) if found is not None else None


def keep_fingerprint(tx: Transaction, fingerprint: int, name: str = NAME) -> None:
    same = sequences.c.name == name
    if not tx.change(update(sequences).where(same).values(value=fingerprint)):
        tx.change(insert(sequences).values(name=name, value=fingerprint))
