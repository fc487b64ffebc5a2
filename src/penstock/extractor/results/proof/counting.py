"""Numbers in messages."""

from __future__ import annotations


def count(number: int, thing: str) -> str:
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"
