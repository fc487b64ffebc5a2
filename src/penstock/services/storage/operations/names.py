"""Validation and cleaning of names, before anything is created with them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from penstock.services.storage.errors.buckets import InvalidDisplayName
from penstock.services.storage.errors.tables import InvalidColumn, InvalidColumns
from penstock.services.storage.names import is_name, read_column_name


def clean_display_name(text: str) -> str:
    """Transliterate to ASCII; each run of other characters becomes a `-`, with no `-` at the ends and no `_` at the
    beginning."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    name = re.sub(r"[^A-Za-z0-9_-]+", "-", plain).strip("-").lstrip("_-")
    if not is_name(name):
        raise InvalidDisplayName(
            f'"{text[:100]}" cannot be converted to a valid name: the result is empty or too long.'
        )
    return name


def clean_column_names(texts: Sequence[str]) -> list[str]:
    return [read_column_name(text) for text in texts]


def check_column_names(names: Sequence[str]) -> None:
    """Raise if these names cannot be the columns of one table."""
    taken: set[str] = set()
    faults: dict[int, str] = {}
    for index, name in enumerate(names):
        fault = _find_fault(name) or (f'The column "{name}" occurs twice.' if name.lower() in taken else None)
        if fault:
            faults[index] = fault
        taken.add(name.lower())
    if faults:
        raise InvalidColumns(faults)


def _find_fault(name: str) -> str | None:
    try:
        clean = read_column_name(name)
    except InvalidColumn as error:
        return error.message
    return None if clean == name else f'"{name}" is not a valid column name; "{clean}" is.'
