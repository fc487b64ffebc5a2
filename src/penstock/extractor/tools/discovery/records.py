"""Finds the records of a response: the array of objects that is most likely the list that was asked for."""

from __future__ import annotations

import re
from typing import Any, cast

import msgspec

from penstock.extractor.responses.response_meta.fields import Path, normal, spell

FIRST = ("data", "items", "results", "records", "value", "nodes", "edges", "resources", "list", "rows", "entries")
RECORD_NAMES = frozenset((*FIRST, "objects", "hits", "elements", "content", "values", "result", "response", "body"))
SECONDARY_NAMES = frozenset(
    {"included", "errors", "warnings", "links", "fields", "columns", "schemas", "messages", "expands"}
)
"""Arrays that accompany the records."""
VERBS = frozenset({"search", "query", "list", "find", "graphql", "filter", "all", "json", "latest"})
DEEPEST = 5
_PAGING = re.compile(
    r"next.*|more.*|has(more|next).*|.*cursor|perpage|pagesize|total.*|limit|pageinfo|paging|pagination"
).match


class Records(msgspec.Struct, frozen=True):
    path: Path
    items: list[Any]
    others: tuple[str, ...] = ()
    """Paths of other arrays in the response."""

    @property
    def setting(self) -> Any:
        """Returns `dataField` of a job; `.` if the response is the array."""
        text, delimiter = spell(self.path)
        return (text or ".") if delimiter == "." else {"path": text, "delimiter": delimiter}

    @property
    def place(self) -> str:
        return f"the array at `{spell(self.path)[0]}`" if self.path else "the response itself, an array"


def find(document: Any, segment: str) -> Records | None:
    """`segment` is the last one of the URL: an array of that name is preferred. None if there is no array."""
    arrays = _arrays(document)
    if not arrays:
        return None
    best = max(arrays, key=lambda array: _score(array, normal(_stem(segment))))
    others = tuple(spell(array.path)[0] for array in arrays if array.path != best.path and array.items)
    return Records(best.path, best.items, others)


def table_name(records: Records, segment: str) -> str:
    """Returns the name of the array, or the last segment of the URL where the array has only a usual one."""
    named = [key for key in reversed(records.path) if normal(key) not in RECORD_NAMES]
    stem = _stem(segment)
    if named:
        return named[0]
    is_name = bool(stem) and normal(stem) not in VERBS and not _is_id(stem)
    return stem if is_name else records.path[-1] if records.path else "records"


def _stem(segment: str) -> str:
    stem, dot, suffix = segment.rpartition(".")
    return stem if dot and suffix in ("json", "php", "xml", "aspx") else segment


def _is_id(text: str) -> bool:
    return any(character.isdigit() for character in text) and len(text) > 2


class _Array(msgspec.Struct, frozen=True):
    path: Path
    items: list[Any]
    has_paging: bool
    """Whether a total, a page size or the like is in the same object."""


def _arrays(value: Any, path: Path = (), *, has_paging: bool = False) -> list[_Array]:
    if isinstance(value, list):
        return [_Array(path, cast(list[Any], value), has_paging)]
    if not isinstance(value, dict) or len(path) >= DEEPEST:
        return []
    members = cast(dict[str, Any], value)
    is_paged = any(_PAGING(normal(key)) for key, member in members.items() if not isinstance(member, list))
    return [array for key, member in members.items() for array in _arrays(member, (*path, key), has_paging=is_paged)]


def _score(array: _Array, segment: str) -> tuple[bool | int, ...]:
    """Objects before values, the name in the URL, fields of pagination next to it, usual names, many items; then the
    shallow before the deep."""
    names = [normal(key) for key in array.path]
    last = names[-1] if names else ""
    has_objects = any(isinstance(item, dict) for item in array.items)
    rank = len(FIRST) - FIRST.index(last) if last in FIRST else 0
    is_named, is_secondary = not names or last == segment, bool(SECONDARY_NAMES & set(names))
    signs = (has_objects, not is_secondary, is_named, array.has_paging, last in RECORD_NAMES)
    return *signs, rank, len(array.items), -len(names)
