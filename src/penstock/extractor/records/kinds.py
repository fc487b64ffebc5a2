"""The kinds of values that the type tree distinguishes, and paths in it."""

from __future__ import annotations

from typing import Any, Literal

from penstock.extractor.base.numbers import Float

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


def kind_of(value: Any, *, is_item: bool) -> Kind:
    """A list directly inside a list is written as text, so it counts as a scalar."""
    kind = KINDS[type(value)]
    return "scalar" if is_item and kind == "array" else kind
