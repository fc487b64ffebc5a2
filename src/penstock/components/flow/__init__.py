"""The conditional flow as a component: it has no program, its jobs consist of other jobs."""

from __future__ import annotations

from typing import Any, cast

from penstock.components.component import Component, Runs
from penstock.components.flow.schema import SCHEMA
from penstock.components.generic_extractor import GENERIC_EXTRACTOR
from penstock.components.generic_writer import GENERIC_WRITER
from penstock.components.processors import describe_processors
from penstock.foundation.redaction.values import holds_secrets

_HOSTS_OF = {
    name: component.hosts_of
    for component in (GENERIC_EXTRACTOR, GENERIC_WRITER)
    for name in (component.id, *component.aliases)
}
"""Components that define the hosts of their secrets."""


def hosts_of(document: dict[str, Any]) -> str:
    tasks = document.get("tasks")
    return (
        " ".join(_describe(task["task"]) for task in cast(list[Any], tasks) if _has_secrets(task))
        if isinstance(tasks, list)
        else ""
    )


def _has_secrets(task: Any) -> bool:
    """Returns whether it may contain secrets."""
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
    component = f"{component_id}={_HOSTS_OF[component_id](data)}" if component_id in _HOSTS_OF else component_id
    return "+".join([component, *describe_processors(data).split()])


_JOB = {"type": "job", "componentId": "ex-generic-v2", "configId": "sample-customers", "mode": "run"}

FLOW = Component(
    id="keboola.flow",
    name="Flow",
    type="other",
    description="Runs other configurations in phases, as conditions say.",
    runs=Runs.FLOW,
    flags=("excludeFromNewList",),
    configuration_schema=SCHEMA,
    configuration_description="`phases` and `tasks` are in the configuration itself, not below `parameters`.",
    configuration_examples=(
        {
            "phases": [{"id": "read", "name": "Read"}],
            "tasks": [{"id": "customers", "name": "Customers", "phase": "read", "task": _JOB}],
        },
    ),
    hosts_of=hosts_of,
)
