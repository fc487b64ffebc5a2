"""Long arrays in a decoded skeleton: each is put back as a list that reads from the file on access.

So records, and the values that pagination needs, are found by the same rules as in a document in memory, while one part
of the file is in memory at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

from penstock.extractor.base.errors import UserError
from penstock.extractor.responses.large.limits import LIMITS
from penstock.extractor.responses.large.slices import Slices

Members = dict[str, Any]


class ByteSpan(list[Any]):
    """A list for Python code that uses its length, an index or its items. C code sees an empty list: use `load_spans`
    to get a plain one."""

    def __init__(self, slices: Slices) -> None:
        super().__init__()
        self.slices = slices

    def __len__(self) -> int:
        return len(self.slices)

    def __getitem__(self, index: Any) -> Any:
        return self.slices[index]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.slices)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, list) and list(self) == list(cast(list[Any], other))


def put_back(members: Members, marks: Mapping[str, Slices]) -> None:
    """Replaces each list that holds a mark by the array of that mark, at any depth of objects."""
    for holder, key, items in list(_lists(members)):
        if len(items) == 1 and isinstance(items[0], str) and items[0] in marks:
            holder[key] = ByteSpan(marks[items[0]])


def spans_in(members: Members) -> list[tuple[Members, str, ByteSpan]]:
    """Returns the object, the key, and the array there."""
    return [(holder, key, items) for holder, key, items in _lists(members) if isinstance(items, ByteSpan)]


def load_spans(value: Any, limit: int = LIMITS.item) -> Any:
    """Returns a value of a document with its long arrays read into memory; raises UserError if they are too large."""
    root: Members = {"": value}
    places = spans_in(root)
    if not places:
        return value
    if sum(span.slices.size for _holder, _key, span in places) > limit:
        raise UserError(
            f"A value of the response that the next request is to send is larger than {limit:,} bytes. "
            "Set its path in `parameters.api.pagination` to a text or a number."
        )
    return _read_all(value)


def _read_all(value: Any) -> Any:
    """Returns a copy; the document itself still reads from the file."""
    if isinstance(value, ByteSpan):
        return list(value)
    if isinstance(value, dict):
        return {key: _read_all(item) for key, item in cast(Members, value).items()}
    return value


def _lists(members: Members) -> Iterator[tuple[Members, str, list[Any]]]:
    """Yields all lists that are not inside another list, because only those are left out of a skeleton."""
    waiting = [members]
    while waiting:
        holder = waiting.pop()
        for key, value in holder.items():
            if isinstance(value, dict):
                waiting.append(cast(Members, value))
            elif isinstance(value, list):
                yield holder, key, cast(list[Any], value)
