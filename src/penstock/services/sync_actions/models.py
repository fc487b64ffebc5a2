"""Actions as they are asked for."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import msgspec

ConfigData = dict[str, Any] | tuple[()]
"""Some clients write an empty object as an empty list."""


class NewAction(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    component_id: str
    action: str
    config_data: ConfigData
    mode: Literal["run", "debug"] = "run"
    branch_id: str = ""
    """A number, or `default`; empty is Main."""
    tag: str = ""
    """Of the component's image; empty is the published one."""

    keeps_empty: ClassVar = ("configData",)


class NewResolution(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    config_data: ConfigData
    branch_id: str = ""

    keeps_empty: ClassVar = ("configData",)


class ActionsQuery(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    component_id: str


class Actions(msgspec.Struct, frozen=True):
    actions: list[str]


def to_document(given: ConfigData) -> dict[str, Any]:
    return given if isinstance(given, dict) else {}
