"""Actions as they are asked for."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import msgspec

ConfigData = dict[str, Any] | tuple[()]
"""Some clients write an empty object as an empty list."""


class NewAction(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    component_id: str
    """Id of the component, such as `ex-generic-v2`."""
    action: str
    """Name of the action. `GET /actions` lists those of a component."""
    config_data: ConfigData
    """The configuration that the action reads. Encrypted values are decrypted for it."""
    mode: Literal["run", "debug"] = "run"
    """The mode that the component is told: `run` or `debug`."""
    branch_id: str = ""
    """Id of the branch, or `default`. Empty means Main."""
    tag: str = ""
    """Version of the component. Empty means the published one."""

    keeps_empty: ClassVar = ("configData",)


class NewResolution(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    config_data: ConfigData
    """The configuration whose variables and shared code are replaced."""
    branch_id: str = ""
    """Id of the branch, or `default`. Empty means Main."""

    keeps_empty: ClassVar = ("configData",)


class ActionsQuery(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    component_id: str
    """Id of the component, such as `ex-generic-v2`."""


class Actions(msgspec.Struct, frozen=True):
    actions: list[str]


def to_document(data: ConfigData) -> dict[str, Any]:
    return data if isinstance(data, dict) else {}
