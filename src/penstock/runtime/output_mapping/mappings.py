"""A configuration's items about output, by the name of their file, and a manifest with such an item over it: what the
configuration specifies takes precedence, unless it is empty."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from penstock.foundation.constraints import explain_error
from penstock.runtime.documents import BadConfiguration, convert, read_item
from penstock.runtime.written import MANIFEST, BadOutput, read_manifest

Mappings = dict[str, list[dict[str, Any]]]
"""As they were given: which keys were matters when they are laid over a manifest. A file may go into several tables."""


_EMPTY: tuple[Any, ...] = (None, "", [], {})


def read_mappings(items: list[dict[str, Any]], kind: type[msgspec.Struct], where: str) -> Mappings:
    mappings: Mappings = {}
    for number, item in enumerate(items):
        read_item(item, kind, f"{where}.{number}")
        source = item.get("source")
        if not source:
            raise BadConfiguration(f'"{where}.{number}" needs a "source": the name of the file that it is about.')
        mappings.setdefault(str(source), []).append(item)
    return mappings


def find_lost(mappings: Mappings, names: Iterable[str]) -> list[str]:
    """Return sources that the component did not write."""
    written = set(names)
    return [source for source in mappings if source not in written]


T = TypeVar("T", bound=msgspec.Struct)


def merge(manifest: dict[str, Any], mapping: dict[str, Any]) -> dict[str, Any]:
    return {**manifest, **{key: value for key, value in mapping.items() if not is_empty(value)}}


def is_empty(value: Any) -> bool:
    """`False` and 0 are something that was said."""
    return any(value is empty or (type(value) is type(empty) and value == empty) for empty in _EMPTY)


def read_merged(path: Path, mapping: dict[str, Any], kind: type[T]) -> T:
    """The mapping was checked separately, so what is wrong is in the manifest."""
    try:
        return convert(merge(read_manifest(path), mapping), kind)
    except msgspec.ValidationError as error:
        raise BadOutput(f'The manifest "{path.name}{MANIFEST}" cannot be read. {explain_error(error)}') from error
