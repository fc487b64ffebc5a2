"""Flows: configurations that run other configurations, phase by phase."""

from __future__ import annotations

from typing import Annotated, Any, cast

import msgspec

from penstock.client import Client, Configuration
from penstock.mcp.paging import Limit, Next, Offset, take
from penstock.mcp.tool import Arguments, Output
from penstock.mcp.tools.configurations import ConfigurationView, Name, configuration_view
from penstock.mcp.tools.views import ComponentId, ConfigurationId, JobSummary, summarize_job

ORCHESTRATOR, FLOW = "keboola.orchestrator", "keboola.flow"
MAX_TASKS = 100


class FlowsQuery(Arguments, frozen=True):
    config_id: Annotated[str, msgspec.Meta(max_length=255, description="Only this flow.")] = ""
    limit: Limit = 10
    offset: Offset = 0


class NewTask(Arguments, frozen=True):
    component_id: ComponentId
    config_id: ConfigurationId
    name: Annotated[str, msgspec.Meta(max_length=255)] = ""
    continue_on_failure: bool = False


class NewFlow(Arguments, frozen=True):
    name: Name
    phases: Annotated[
        list[Annotated[list[NewTask], msgspec.Meta(min_length=1, max_length=50)]],
        msgspec.Meta(
            min_length=1,
            max_length=50,
            description="One after the other; tasks of a phase run at the same time.",
            examples=[[[{"component_id": "ex-generic-v2", "config_id": "sample-customers"}]]],
        ),
    ]
    description: Annotated[str, msgspec.Meta(max_length=5000)] = ""
    change_description: Annotated[str, msgspec.Meta(max_length=1000)] = "Created by an agent."


class FlowTask(Output, frozen=True):
    phase: str
    name: str
    component_id: str
    config_id: str


class FlowView(Output, frozen=True):
    component_id: str
    config_id: str
    name: str
    description: str
    version: int
    tasks: list[FlowTask]
    last_job: JobSummary | None = None


class Flows(Output, frozen=True):
    found: int
    flows: list[FlowView]
    next: Next | None = None


def list_flows(client: Client, arguments: FlowsQuery) -> Flows:
    """The flows of the project, with their tasks by phase and their last jobs.

    get_configuration has the whole document of one. Example: {}"""
    flows = [
        each
        for each in client.configurations.list(with_documents=True)
        if each.component in (ORCHESTRATOR, FLOW) and arguments.config_id in ("", each.id)
    ]
    page, following = take(flows, arguments.offset, arguments.limit)
    return Flows(found=len(flows), flows=[_view(client, each) for each in page], next=following)


def create_flow(client: Client, arguments: NewFlow) -> ConfigurationView:
    """Create a flow that runs configurations in phases; it does not run yet.

    Run it with run_job (component keboola.orchestrator), or at times with create_schedule. Example: {"name": "Nightly",
    "phases": [[{"component_id": "ex-generic-v2", "config_id": "sample-customers"}]]}"""
    created = client.configurations.create(
        ORCHESTRATOR,
        arguments.name,
        _to_document(arguments.phases),
        description=arguments.description,
        reason=arguments.change_description,
    )
    return configuration_view(created)


def _to_document(phases: list[list[NewTask]]) -> dict[str, Any]:
    numbered = [(str(number), tasks) for number, tasks in enumerate(phases, 1)]
    return {
        "phases": [
            {"id": phase, "name": f"Phase {phase}", "dependsOn": [numbered[at - 1][0]] if at else []}
            for at, (phase, _) in enumerate(numbered)
        ],
        "tasks": [
            _to_task(f"{phase}{number:03}", phase, task)
            for phase, tasks in numbered
            for number, task in enumerate(tasks, 1)
        ],
    }


def _to_task(task_id: str, phase: str, task: NewTask) -> dict[str, Any]:
    return {
        "id": task_id,
        "name": task.name or task.config_id,
        "phase": phase,
        "task": {"componentId": task.component_id, "configId": task.config_id, "mode": "run"},
        "continueOnFailure": task.continue_on_failure,
    }


def _view(client: Client, flow: Configuration) -> FlowView:
    jobs = client.jobs.search({"componentId": flow.component, "configId": flow.id, "limit": 1})
    return FlowView(
        component_id=flow.component,
        config_id=flow.id,
        name=flow.name,
        description=flow.description,
        version=flow.version,
        tasks=_tasks(flow.configuration),
        last_job=summarize_job(jobs[0]) if jobs else None,
    )


def _tasks(document: Any) -> list[FlowTask]:
    """Read the tasks as far as the document is one of a flow: anything may be stored."""
    members = cast(dict[str, Any], document) if isinstance(document, dict) else {}
    phases = {str(each.get("id")): str(each.get("name", "")) for each in _objects(members.get("phases"))}
    return [_task_view(each, phases) for each in _objects(members.get("tasks"))[:MAX_TASKS]]


def _task_view(task: dict[str, Any], phases: dict[str, str]) -> FlowTask:
    target = cast(dict[str, Any], task["task"]) if isinstance(task.get("task"), dict) else {}
    phase = str(task.get("phase", ""))
    return FlowTask(
        phase=phases.get(phase) or phase,
        name=str(task.get("name", "")),
        component_id=str(target.get("componentId", "")),
        config_id=str(target.get("configId", "")),
    )


def _objects(value: Any) -> list[dict[str, Any]]:
    return [item for item in cast(list[Any], value) if isinstance(item, dict)] if isinstance(value, list) else []
