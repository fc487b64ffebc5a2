"""Compressed tables that unpack to a thousand times their size."""

from __future__ import annotations

import gzip
from functools import cache

HEADER = ("id", "name")
_MEGABYTES = 10


@cache
def _block() -> bytes:
    """Ten megabytes of rows, in some ten kilobytes."""
    row = b"1,x\n"
    return gzip.compress(row * (_MEGABYTES * 1_000_000 // len(row)))


def make_bomb(megabytes: int) -> bytes:
    """A table with the columns `id` and `name`. A gzip file may have several members, so it is made in no time."""
    return gzip.compress(b"id,name\n") + _block() * (megabytes // _MEGABYTES)
