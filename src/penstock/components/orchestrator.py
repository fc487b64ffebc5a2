"""The orchestrator as a component: it has no program, its jobs consist of other jobs."""

from __future__ import annotations

from penstock.components.component import Component, Runs
from penstock.components.flow import hosts_of
from penstock.components.json_schema import DRAFT, TEXT, Schema, a_list, an_object, name, text

ID: Schema = {"type": ["integer", "string"]}

ON_ERROR: Schema = {
    "enum": ["stop", "warning", "fail", None],
    "description": "stop: no other phase begins; warning: the phases after it run all the same.",
}
PHASE = an_object(
    ["id", "name"],
    id={**ID, "description": "Its id, to which tasks and phases refer."},
    name=name("What it is called."),
    description=text("What it is for."),
    dependsOn=a_list(ID, description="The phases that must have ended before."),
    behavior={**an_object([], onError=ON_ERROR), "description": "What happens when it fails."},
)
JOB = an_object(
    ["componentId"],
    componentId=name("The component to run."),
    configId={**ID, "description": "Its configuration."},
    configData={"type": "object", "description": "A configuration in place of a stored one."},
    configRowIds=a_list(TEXT, description="The rows to run; all of them unless set."),
    mode={"enum": ["run", "debug"], "description": "How it runs."},
    tag=text("The version of the component."),
    variableValuesId=text("The row of values that it uses."),
    variableValuesData={"type": "object", "description": "Values in place of such a row."},
)
TASK = an_object(
    ["id", "name", "phase", "task"],
    id={**ID, "description": "Its id, unlike that of any other task."},
    name=name("What it is called."),
    phase={**ID, "description": "The phase that it belongs to."},
    enabled={"type": "boolean", "default": True, "description": "Whether it runs."},
    continueOnFailure={"type": "boolean", "default": False, "description": "Whether its failure is passed over."},
    task={**JOB, "description": "What it does."},
)
SCHEMA: Schema = {
    "$schema": DRAFT,
    **an_object(
        ["phases", "tasks"],
        phases=a_list(PHASE, description="The steps."),
        tasks=a_list(TASK, description="What runs in them, side by side."),
    ),
}


ORCHESTRATOR = Component(
    id="keboola.orchestrator",
    name="Orchestrator",
    type="other",
    description="Runs other configurations in phases.",
    long_description="A phase begins when those it depends on have ended.",
    runs=Runs.ORCHESTRATION,
    flags=("excludeFromNewList",),
    configuration_schema=SCHEMA,
    configuration_description="`phases` and `tasks` are in the configuration itself, not below `parameters`.",
    configuration_examples=(
        {
            "phases": [{"id": "1", "name": "Read"}],
            "tasks": [
                {
                    "id": "2",
                    "name": "Customers",
                    "phase": "1",
                    "task": {"componentId": "ex-generic-v2", "configId": "sample-customers", "mode": "run"},
                }
            ],
        },
    ),
    hosts_of=hosts_of,
)
