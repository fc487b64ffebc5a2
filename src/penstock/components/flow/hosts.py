"""The hosts of secrets in a flow: those of the components of tasks with inline configurations.

A user who may change a flow, but does not know its secrets, must not be able to send them elsewhere: with another
component, host or processor in such a task, they cannot be decrypted.
"""

from __future__ import annotations

from typing import Any, cast

from penstock.components.generic_extractor import GENERIC_EXTRACTOR
from penstock.components.generic_writer import GENERIC_WRITER
from penstock.components.processors import describe_processors
from penstock.foundation.redaction.values import holds_secrets

_KNOWN = {name: each.hosts_of for each in (GENERIC_EXTRACTOR, GENERIC_WRITER) for name in (each.id, *each.aliases)}
"""Components that define the hosts of their secrets."""


def hosts_of(document: dict[str, Any]) -> str:
    tasks = document.get("tasks")
    return (
        " ".join(_describe(task["task"]) for task in cast(list[Any], tasks) if _has_secrets(task))
        if isinstance(tasks, list)
        else ""
    )


def _has_secrets(task: Any) -> bool:
    """Whether it may contain secrets."""
    inner = cast(dict[str, Any], task).get("task") if isinstance(task, dict) else None
    if not isinstance(inner, dict):
        return False
    members = cast(dict[str, Any], inner)
    return isinstance(members.get("configData"), dict) or holds_secrets(members.get("variableValuesData"))


def _describe(task: dict[str, Any]) -> str:
    component_id, data = str(task.get("componentId")), task.get("configData")
    if not isinstance(data, dict):
        return component_id
    data = cast(dict[str, Any], data)
    meant = f"{component_id}={_KNOWN[component_id](data)}" if component_id in _KNOWN else component_id
    return "+".join([meant, *describe_processors(data).split()])
