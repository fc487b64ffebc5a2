"""A manifest with the configuration over it: what the configuration says wins, what it leaves empty says nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

import msgspec

from penstock.foundation.constraints import explain_error
from penstock.runtime.documents import convert
from penstock.runtime.written import MANIFEST, BadOutput, read_manifest

T = TypeVar("T", bound=msgspec.Struct)
_EMPTY: tuple[Any, ...] = (None, "", [], {})


def merge(manifest: dict[str, Any], mapping: dict[str, Any]) -> dict[str, Any]:
    return {**manifest, **{key: value for key, value in mapping.items() if not is_empty(value)}}


def is_empty(value: Any) -> bool:
    """`False` and 0 are something that was said."""
    return any(value is each or (type(value) is type(each) and value == each) for each in _EMPTY)


def read_merged(path: Path, mapping: dict[str, Any], kind: type[T]) -> T:
    """The mapping was checked by itself, so what is wrong is in the manifest."""
    try:
        return convert(merge(read_manifest(path), mapping), kind)
    except msgspec.ValidationError as error:
        raise BadOutput(f'The manifest "{path.name}{MANIFEST}" cannot be read. {explain_error(error)}') from error
