"""The conditional flow as a component: it has no program, its jobs consist of other jobs."""

from __future__ import annotations

from penstock.components.component import Component, Runs
from penstock.components.flow.hosts import hosts_of
from penstock.components.flow.schema import SCHEMA

FLOW = Component(
    id="keboola.flow",
    name="Flow",
    type="other",
    description="Runs other configurations in phases, as conditions say.",
    runs=Runs.FLOW,
    flags=("excludeFromNewList",),
    configuration_schema=SCHEMA,
    configuration_description="`phases` and `tasks` stand in the configuration itself, not below `parameters`.",
    configuration_examples=(
        {
            "phases": [{"id": "read", "name": "Read"}],
            "tasks": [
                {
                    "id": "customers",
                    "name": "Customers",
                    "phase": "read",
                    "task": {
                        "type": "job",
                        "componentId": "ex-generic-v2",
                        "configId": "sample-customers",
                        "mode": "run",
                    },
                }
            ],
        },
    ),
    hosts_of=hosts_of,
)
