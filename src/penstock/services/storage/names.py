"""The grammar of ids and names."""

from __future__ import annotations

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


def check_columns(header: list[str]) -> tuple[str, ...]:
    """The header of a file as column names: plain characters, each name once whatever its case."""
    names = tuple(to_column_name(text) for text in header)
    seen: set[str] = set()
    for name in names:
        if name.lower() in seen:
            raise InvalidColumn(f'The column "{name}" stands in the header more than once.')
        seen.add(name.lower())
    return names


def to_column_name(text: str) -> str:
    """Transliterated to ASCII; every run of other characters becomes one `_`, none at the ends."""
    if text == _SYSTEM:
        raise InvalidColumn(f'System columns "{_SYSTEM}" cannot be imported to the table.')
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    name = re.sub(r"[^A-Za-z0-9_]+", "_", plain).strip("_")
    if not name or len(name) > COLUMN_LENGTH:
        raise InvalidColumn(f'"{text}" is no column name: it needs 1 to {COLUMN_LENGTH} letters, digits or `_`.')
    return f"{name}_" if name.lower() in _RESERVED else name
