"""The grammar of ids and names."""

from __future__ import annotations

import hashlib
import re
import unicodedata

from penstock.services.storage.errors import InvalidBucket, InvalidColumn, InvalidTable

STAGES = ("in", "out")
NAME_LENGTH, COLUMN_LENGTH = 96, 64
_NAME = re.compile(r"[A-Za-z0-9-][A-Za-z0-9_-]*")
_RESERVED = frozenset(("oid", "tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"))
_SYSTEM = "_timestamp"


def split_table_id(table_id: str) -> tuple[str, str]:
    """`in.c-main.users` → its bucket's id and its name; anything else names nothing."""
    stage, _, rest = table_id.partition(".")
    bucket, _, name = rest.partition(".")
    return f"{stage}.{bucket}", name


def check_bucket_id(bucket_id: str) -> tuple[str, str]:
    """Stage and name of a bucket that may be created."""
    stage, _, name = bucket_id.partition(".")
    if stage not in STAGES or not name.startswith("c-") or not is_name(name):
        raise InvalidBucket(
            f'"{bucket_id}" is no bucket id. It is a stage (in, out), a dot, and `c-` with a name of at most '
            f"{NAME_LENGTH} letters, digits, `-` and `_`."
        )
    return stage, name


def check_table_name(name: str) -> None:
    if not is_name(name):
        raise InvalidTable(
            f'"{name}" is no table name. It has at most {NAME_LENGTH} letters, digits, `-` and `_`, '
            "and does not start with `_`."
        )


def is_name(name: str) -> bool:
    return len(name) <= NAME_LENGTH and bool(_NAME.fullmatch(name))


def to_columns(header: list[str]) -> tuple[str, ...]:
    """The header of a file as column names, each one once whatever its case.

    Names are made of what an API calls its fields, which its users cannot change; so a name that cannot be is mended,
    always in the same way, and never refused.
    """
    names: list[str] = []
    taken: set[str] = set()
    for text in header:
        name = to_column_name(text)
        for candidate in (name, *(f"{_cut(name, 4)}_{number}" for number in range(2, len(header) + 2))):
            if candidate.lower() not in taken:
                names.append(candidate)
                taken.add(candidate.lower())
                break
    return tuple(names)


def to_column_name(text: str) -> str:
    """Transliterated to ASCII; every run of other characters becomes one `_`, none at the ends."""
    if text == _SYSTEM:
        raise InvalidColumn(f'System columns "{_SYSTEM}" cannot be imported to the table.')
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    name = re.sub(r"[^A-Za-z0-9_]+", "_", plain).strip("_") or "column"
    if len(name) > COLUMN_LENGTH:
        name = f"{_cut(name, 9)}_{hashlib.sha256(name.encode()).hexdigest()[:8]}"
    return f"{name}_" if name.lower() in _RESERVED else name


def _cut(name: str, room: int) -> str:
    """Short enough for something to be added."""
    return name[: COLUMN_LENGTH - room].rstrip("_")
