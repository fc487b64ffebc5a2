"""Identifiers: numbers from one sequence for what users see, random text for the rest.

On PostgreSQL it is a sequence of the server: writers of different projects do not wait for each other there, and
numbers of a failed transaction are not reused.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import BigInteger, Column, Table, Text, bindparam, text, update

from penstock.foundation import clock
from penstock.foundation.database import Transaction, metadata

MAX_DIGITS = 18
"""Digits of an id that always fit a 64-bit integer."""

sequences = Table(
    "foundation_sequences",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", BigInteger, nullable=False),
)

_STEP = (
    update(sequences)
    .where(sequences.c.name == "ids")
    .values(value=sequences.c.value + bindparam("count", type_=BigInteger))
    .returning(sequences.c.value)
)
_NEXT = text("SELECT nextval('foundation_ids') FROM generate_series(1, :count)")
_CHANGE = (
    update(sequences).where(sequences.c.name == bindparam("counted", type_=Text)).values(value=sequences.c.value + 1)
)


def new_id(tx: Transaction) -> int:
    """The next number; unique in the stack and increasing, so that within a project it also gives the order of
    creation."""
    return new_ids(tx, 1)[0]


def new_ids(tx: Transaction, count: int) -> Sequence[int]:
    """Several at once, in one query."""
    if tx.has_concurrent_writers:
        return tx.connection.execute(_NEXT, {"count": count}).scalars().all()
    last = int(tx.value(_STEP, count=count))
    return range(last - count + 1, last + 1)


def count_change(tx: Transaction, of: str) -> None:
    """Invalidate what other processes have cached (Database.version).

    PostgreSQL has no such version, so nothing is counted; writers of all projects would wait for the one row.
    """
    if not tx.has_concurrent_writers:
        tx.change(_CHANGE, [{"counted": of}])


def read_id(text: str) -> int | None:
    """The number in a path segment; None if it is not a valid id."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= MAX_DIGITS else None


def new_uuid() -> str:
    """A version 7 UUID: it begins with the time, so events sort by it."""
    milliseconds = int(clock.now().timestamp() * 1000)
    bits = milliseconds << 80 | 7 << 76 | secrets.randbits(12) << 64 | 2 << 62 | secrets.randbits(62)
    return str(UUID(int=bits))


def new_secret() -> str:
    """240 random bits, printable, without the `-` that separates the parts of a token."""
    return secrets.token_hex(30)


def hash_secret(secret: str) -> bytes:
    """What is stored of a secret of `new_secret`. A plain hash is enough: nobody can guess 240 random bits."""
    return hashlib.sha256(secret.encode()).digest()


def new_exception_id() -> str:
    """Identifies one error. It is shown to the user; those of failed jobs and of defects are in the log as well."""
    return f"exception-{secrets.token_hex(8)}"
