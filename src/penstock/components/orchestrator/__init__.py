"""The orchestrator as a component: it has no program, its jobs consist of other jobs."""

from __future__ import annotations

from penstock.components.component import Component, Runs
from penstock.components.flow.hosts import hosts_of
from penstock.components.orchestrator.schema import SCHEMA

ORCHESTRATOR = Component(
    id="keboola.orchestrator",
    name="Orchestrator",
    type="other",
    description="Runs other configurations in phases.",
    long_description="A phase begins when those it depends on have ended.",
    runs=Runs.ORCHESTRATION,
    flags=("excludeFromNewList",),
    configuration_schema=SCHEMA,
    configuration_description="`phases` and `tasks` stand in the configuration itself, not below `parameters`.",
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
