"""Names and values in SQL: the only place where they are quoted.

Most statements here are COPY or DDL, which accept no bound parameters. So every name goes through quote_name and every
value through quote_value, whatever its origin.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from itertools import count
from string import ascii_lowercase, ascii_uppercase

_SMALL = str.maketrans(ascii_uppercase, ascii_lowercase)


def quote_name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def folded(name: str) -> str:
    """Names with the same result are equal to the engine: it ignores the case of ASCII letters only."""
    return name.translate(_SMALL)


def quote_value(value: object) -> str:
    """A string literal. The parser treats a NUL character as the end of the statement, so it is written as chr(0)."""
    parts = [part.replace("'", "''") for part in str(value).split("\0")]
    return " || chr(0) || ".join(f"'{part}'" for part in parts)


def quote_time(moment: datetime) -> str:
    """Times are stored in UTC, without a zone."""
    return f"TIMESTAMP '{moment.astimezone(UTC):%Y-%m-%d %H:%M:%S.%f}'"


def name_list(names: Iterable[str]) -> str:
    return ", ".join(map(quote_name, names))


def value_list(values: Iterable[object]) -> str:
    return ", ".join(map(quote_value, values))


def free_name(existing: Iterable[str]) -> str:
    """A name that none of the columns has, regardless of case."""
    known = {name.lower() for name in existing}
    return next(name for number in count() if (name := f"position_{number}") not in known)
