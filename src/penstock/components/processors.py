"""The processors of a configuration: components that process its component's data, before or after it.

A configuration may contain anything until it runs; invalid processors are ignored here, and reported when it runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import msgspec

KEY, WAYS = "processors", ("before", "after")
TYPE = "processor"
"""The types of components that may be processors."""


class Processor(msgspec.Struct, frozen=True):
    component_id: str
    item: dict[str, Any]
    """Its part of the configuration."""
    way: str
    number: int

    @property
    def path(self) -> str:
        """Returns its path in the configuration."""
        return f"{KEY}.{self.way}.{self.number}"

    @property
    def tag(self) -> str:
        """Returns the version that it names; empty if none, or one that is known only when the job runs."""
        tag = get_tag(self.item)
        return "" if "{{" in tag else tag

    @property
    def is_placeholder(self) -> bool:
        """Returns whether its component is known only when the job runs."""
        return "{{" in self.component_id


def list_processors(document: dict[str, Any]) -> list[Processor]:
    """Returns the processors that name a component, in the order in which they run."""
    section = _as_object(document.get(KEY))
    return [processor for way in WAYS for processor in _read_list(section.get(way), way)]


def describe_processors(document: dict[str, Any]) -> str:
    """Returns the programs that see the output made with the secrets; their order does not matter."""
    return " ".join(sorted({processor.component_id for processor in list_processors(document)}))


def get_name(item: dict[str, Any]) -> str:
    """Returns the component of a processor; empty if there is none."""
    named = _as_object(item.get("definition")).get("component")
    return named if isinstance(named, str) else ""


def get_tag(item: dict[str, Any]) -> str:
    """Returns the version of a processor; empty if there is none."""
    return str(_as_object(item.get("definition")).get("tag") or "")


def _read_list(items: Any, way: str) -> Iterator[Processor]:
    for number, item in enumerate(cast(list[Any], items) if isinstance(items, list) else []):
        members = _as_object(item)
        if component_id := get_name(members):
            yield Processor(component_id, members, way, number)


def _as_object(value: Any) -> dict[str, Any]:
    return cast(dict[str, Any], value) if isinstance(value, dict) else {}
