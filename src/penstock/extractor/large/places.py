"""Long arrays in a decoded skeleton: each is put back where it was, as a list that reads from the file when asked.

So whoever looks for records finds them by the same rules as in a document that is all in memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

from penstock.extractor.large.slices import Slices

Members = dict[str, Any]


class Place(list[Any]):
    """A list to those who ask how long it is and what is at an index; nobody else should get to see it."""

    def __init__(self, slices: Slices) -> None:
        super().__init__()
        self.slices = slices

    def __len__(self) -> int:
        return len(self.slices)

    def __getitem__(self, index: Any) -> Any:
        return self.slices[index]


def put_back(members: Members, marks: Mapping[str, Slices]) -> None:
    """In the place of each list that holds a mark, the array that was there; also inside the members."""
    for holder, key, found in list(_lists(members)):
        if len(found) == 1 and isinstance(found[0], str) and found[0] in marks:
            holder[key] = Place(marks[found[0]])


def places_in(members: Members) -> list[tuple[Members, str, Place]]:
    """Who holds it, under which name, and the array itself."""
    return [(holder, key, found) for holder, key, found in _lists(members) if isinstance(found, Place)]


def _lists(members: Members) -> Iterator[tuple[Members, str, list[Any]]]:
    """Those that are not inside another list: no other array is ever left out."""
    waiting = [members]
    while waiting:
        holder = waiting.pop()
        for key, value in holder.items():
            if isinstance(value, dict):
                waiting.append(cast(Members, value))
            elif isinstance(value, list):
                yield holder, key, cast(list[Any], value)
