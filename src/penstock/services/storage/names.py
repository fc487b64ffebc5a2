"""The grammar of ids and names."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Sequence

from penstock.services.storage.errors.buckets import InvalidBucket
from penstock.services.storage.errors.tables import InvalidColumn, InvalidTable

STAGES = ("in", "out")
NAME_LENGTH, COLUMN_LENGTH = 96, 64
_NAME = re.compile(r"[A-Za-z0-9-][A-Za-z0-9_-]*")
_RESERVED = frozenset(("oid", "tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"))
_SYSTEM = "_timestamp"


def split_table_id(table_id: str) -> tuple[str, str]:
    """`in.c-main.users` → its bucket's id and its name, which is empty if there is none."""
    stage, _, rest = table_id.partition(".")
    bucket, _, name = rest.partition(".")
    return f"{stage}.{bucket}", name


def check_bucket_id(bucket_id: str) -> tuple[str, str]:
    """The stage and name of a bucket to create; raises if the id is not valid."""
    stage, _, name = bucket_id.partition(".")
    if stage not in STAGES or not name.startswith("c-") or not is_name(name):
        raise InvalidBucket(
            f'"{bucket_id}" is not a valid bucket id. It is a stage (in, out), a dot, and `c-` with a name of at most '
            f"{NAME_LENGTH} letters, digits, `-` and `_`."
        )
    return stage, name


def check_table_name(name: str) -> None:
    if not is_name(name):
        raise InvalidTable(
            f'"{name}" is not a valid table name. It has at most {NAME_LENGTH} letters, digits, `-` and `_`, '
            "and does not start with `_`."
        )


def is_name(name: str) -> bool:
    return len(name) <= NAME_LENGTH and bool(_NAME.fullmatch(name))


def to_columns(header: list[str]) -> tuple[str, ...]:
    """Turn the header of a file into column names that are unique regardless of case.

    The names come from the fields of an API, which its users cannot change; so an invalid name is corrected, always in
    the same way, and never refused.
    """
    scope = _Scope()
    return tuple(scope.take(to_column_name(text)) for text in header)


class _Scope:
    """The column names of one table, regardless of case: a duplicate gets the suffix `_2`, then `_3`, …"""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._numbers: dict[str, int] = {}
        """The next free number per name: counting from 2 each time would be quadratic."""

    def take(self, name: str) -> str:
        if name.lower() in self._taken:
            name = self._numbered(name)
        self._taken.add(name.lower())
        return name

    def _numbered(self, name: str) -> str:
        spelling = _cut(name, 4).lower()
        number = self._numbers.get(spelling, 2)
        while (free := _with_number(name, number)).lower() in self._taken:
            number += 1
        self._numbers[spelling] = number + 1
        return free


def _with_number(name: str, number: int) -> str:
    end = f"_{number}"
    return f"{_cut(name, max(4, len(end)))}{end}"


def read_header(header: Sequence[str]) -> list[str]:
    """The header of a file that a client uploads: an invalid name is an error for the client to fix."""
    names = [read_column_name(text) for text in header]
    seen: set[str] = set()
    for name in names:
        if name.lower() in seen:
            raise InvalidColumn(f'The column "{name}" occurs twice. Column names must differ in more than their case.')
        seen.add(name.lower())
    return names


def read_column_name(text: str) -> str:
    name = webalize(text)
    if text == _SYSTEM:
        raise InvalidColumn(f'System columns "{_SYSTEM}" cannot be imported to the table.')
    if not name or len(name) > COLUMN_LENGTH:
        what = f"longer than {COLUMN_LENGTH} characters" if name else "empty"
        raise InvalidColumn(f'"{text[:100]}" is not a valid column name: its letters, digits and `_` alone are {what}.')
    return f"{name}_" if name.lower() in _RESERVED else name


def webalize(text: str) -> str:
    """Transliterate to ASCII; each run of other characters becomes one `_`, none at the ends."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9_]+", "_", plain).strip("_")


def to_column_name(text: str) -> str:
    """A valid column name for any text."""
    if text == _SYSTEM:
        raise InvalidColumn(f'System columns "{_SYSTEM}" cannot be imported to the table.')
    name = webalize(text) or "column"
    if len(name) > COLUMN_LENGTH:
        name = f"{_cut(name, 9)}_{hashlib.sha256(name.encode()).hexdigest()[:8]}"
    return f"{name}_" if name.lower() in _RESERVED else name


def _cut(name: str, room: int) -> str:
    """Cut to leave room for a suffix."""
    return name[: COLUMN_LENGTH - room].rstrip("_")
