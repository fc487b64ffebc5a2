"""Values of two kinds in one field, of which a table can hold only one: the error, and the record it comes from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, cast

import msgspec

from penstock.extractor.base.errors import UserError
from penstock.extractor.records.filter import MANY
from penstock.extractor.records.kinds import ITEMS, Items, Kind, Path, kind_of


class ConflictingRecord(msgspec.Struct, frozen=True):
    """The record that brought the second kind, its index among those of its page, and the value of that kind."""

    index: int
    record: Any
    value: Any


class TypeConflict(UserError):
    """Raised when a page is merged into the known types; the message begins like that of the original."""

    def __init__(self, message: str, known: str, steps: Path | None) -> None:
        super().__init__(f"Error parsing response JSON: {message}")
        self.known = known
        """The kind that was known before."""
        self.steps = steps
        """The path for `responseFilter`; empty for the records themselves, None if the parser does not know it."""

    def find(self, records: Sequence[Any]) -> ConflictingRecord | None:
        """The first record of the page that contradicts what was known before."""
        raise NotImplementedError


class KindConflict(TypeConflict):
    """Of the current parser, which merges a page column by column and so knows only the field and the kinds."""

    def __init__(self, old: Kind, new: Kind, path: Path) -> None:
        self._kind, self._path, self._is_item = new, path, isinstance(path[-1], Items)
        mixed = f"Data array in '{'.'.join(path[:-1])}' contains incompatible types '{old}' and '{new}'."
        changed = f'Unhandled nodeType change from "{old}" to "{new}" in "{".".join(path)}".'
        super().__init__(mixed if self._is_item else changed, old, _filter_steps(path))

    def find(self, records: Sequence[Any]) -> ConflictingRecord | None:
        for index, record in enumerate(records):
            for value in _values(record, self._path[2:]):
                if kind_of(value, is_item=self._is_item) == self._kind:
                    return ConflictingRecord(index, record, value)
        return None


def _filter_steps(path: Path) -> Path:
    """`list[]` for a list whose items have the field; a list whose items have two kinds is named as a whole."""
    steps: list[str] = []
    for step in path[2:]:
        if isinstance(step, Items):
            steps[-1] += MANY
        else:
            steps.append(step)
    return (*steps[:-1], steps[-1].removesuffix(MANY)) if isinstance(path[-1], Items) and steps else tuple(steps)


def _values(value: Any, steps: Path) -> Iterable[Any]:
    """All values of a record at a path; a single value where other records have a list counts as its only item."""
    if not steps:
        return [value]
    if steps[0] is ITEMS:
        items = cast(list[Any], value) if isinstance(value, list) else [] if value is None else [value]
        return [found for item in items for found in _values(item, steps[1:])]
    members = cast(dict[str, Any], value) if isinstance(value, dict) else {}
    return _values(members[steps[0]], steps[1:]) if steps[0] in members else []
