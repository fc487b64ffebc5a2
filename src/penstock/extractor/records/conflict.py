"""The kinds of values that the type tree distinguishes, and the error for values of two kinds in one field: a table can
hold only one of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, cast

import msgspec

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.numbers import Float
from penstock.extractor.records.filter import MANY

Kind = Literal["null", "scalar", "object", "array"]
Path = tuple[str, ...]

KINDS: dict[type, Kind] = {
    type(None): "null",
    bool: "scalar",
    int: "scalar",
    str: "scalar",
    Float: "scalar",
    dict: "object",
    list: "array",
}


class Items(str):
    """The step to the items of a list in a path; distinct from a member of the same spelling."""

    __slots__ = ()


ITEMS = Items("[]")


def get_kind(value: Any, *, is_item: bool) -> Kind:
    """A list directly inside a list is written as text, so it counts as a scalar."""
    kind = KINDS[type(value)]
    return "scalar" if is_item and kind == "array" else kind


class ConflictingRecord(msgspec.Struct, frozen=True):
    """The record that brought the second kind, its index among those of its page, and the value of that kind."""

    index: int
    record: Any
    value: Any


class TypeConflict(UserError):
    """Raised when a page is merged into the known types; the message begins like that of the original."""

    def __init__(self, message: str, earlier: str, steps: Path | None) -> None:
        super().__init__(f"Error parsing response JSON: {message}")
        self.earlier = earlier
        """The kind that was known before."""
        self.steps = steps
        """The path for `responseFilter`; empty for the records themselves, None if the parser does not know it."""

    def find(self, records: Sequence[Any]) -> ConflictingRecord | None:
        """Returns the first record of the page that contradicts what was known before."""
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
                if get_kind(value, is_item=self._is_item) == self._kind:
                    return ConflictingRecord(index, record, value)
        return None


def _filter_steps(path: Path) -> Path:
    """Returns `list[]` for a list whose items have the field; a list whose items have two kinds is named as a whole."""
    steps: list[str] = []
    for step in path[2:]:
        if isinstance(step, Items):
            steps[-1] += MANY
        else:
            steps.append(step)
    return (*steps[:-1], steps[-1].removesuffix(MANY)) if isinstance(path[-1], Items) and steps else tuple(steps)


def _values(value: Any, steps: Path) -> Iterable[Any]:
    """Returns all values of a record at a path; a single value where other records have a list counts as its only
    item."""
    if not steps:
        return [value]
    if steps[0] is ITEMS:
        items = cast(list[Any], value) if isinstance(value, list) else [] if value is None else [value]
        return [inner for item in items for inner in _values(item, steps[1:])]
    members = cast(dict[str, Any], value) if isinstance(value, dict) else {}
    return _values(members[steps[0]], steps[1:]) if steps[0] in members else []
