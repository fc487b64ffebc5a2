"""A likely primary key: a field with the name of an id that every record has, with a different value in each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from penstock.extractor.base.path import look_up
from penstock.extractor.responses.response_meta.fields import normal

NAMES = (
    "id",
    "uuid",
    "guid",
    "gid",
    "sid",
    "key",
    "objectid",
    "recordid",
    "uid",
    "ref",
    "arn",
    "slug",
    "code",
    "number",
)
INNER = ("node", "attributes", "fields", "properties", "resource", "item")
"""Objects that hold the fields of a record."""


def find_key(records: list[Any], table: str) -> str:
    """Returns the path of the key in each record; empty if there is none."""
    candidates = sorted(_candidates(records[0]), key=lambda path: _rank(path, table)) if records else []
    fitting = (path for path in candidates if _rank(path, table)[0] < len(NAMES) + 2 and is_unique(records, path))
    return next(fitting, "")


def is_unique(records: list[Any], path: str) -> bool:
    values = [look_up(path, record) for record in records]
    are_ids = all(isinstance(value, (str, int)) and not isinstance(value, bool) and value != "" for value in values)
    return are_ids and len(set(values)) == len(values)


def _candidates(record: Any) -> Iterator[str]:
    """Fields without a dot in their name, which a path cannot spell."""
    if not isinstance(record, dict):
        return
    for name, value in cast(dict[str, Any], record).items():
        if "." in name:
            continue
        if isinstance(value, dict) and name in INNER:
            yield from (f"{name}.{inner}" for inner in _candidates(value))
        elif isinstance(value, (str, int)):
            yield name


def _rank(path: str, table: str) -> tuple[int, int]:
    """Ranks the name of an id first, then the table's own id (`InvoiceID`), then another name that ends in `id`."""
    name, depth = normal(path.rpartition(".")[2]), path.count(".")
    singular = normal(table).removesuffix("s")
    if name == "id" or (name in ("gid", "sid", "uuid") and depth == 0):
        return 0, depth
    if name in (f"{singular}id", f"{singular}key"):
        return 1, depth
    if name in NAMES:
        return 1 + NAMES.index(name), depth
    return (len(NAMES) + 1 if name.endswith("id") else len(NAMES) + 2), depth
