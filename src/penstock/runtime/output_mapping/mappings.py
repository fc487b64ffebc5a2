"""A configuration's items about what goes out, by the name of the file they are about."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from penstock.runtime.documents import BadConfiguration, read_item

Mappings = dict[str, list[dict[str, Any]]]
"""As they were given: which keys were matters when they are laid over a manifest. A file may go into several tables."""


def read_mappings(given: list[dict[str, Any]], kind: type[msgspec.Struct], where: str) -> Mappings:
    found: Mappings = {}
    for number, each in enumerate(given):
        read_item(each, kind, f"{where}.{number}")
        source = each.get("source")
        if not source:
            raise BadConfiguration(f'"{where}.{number}" needs a "source": the name of the file that it is about.')
        found.setdefault(str(source), []).append(each)
    return found


def find_lost(mappings: Mappings, names: Iterable[str]) -> list[str]:
    """Sources that the component did not write."""
    written = set(names)
    return [source for source in mappings if source not in written]
