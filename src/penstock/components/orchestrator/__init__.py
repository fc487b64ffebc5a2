"""The orchestrator as a component: it has no program, its jobs are made of other jobs."""

from __future__ import annotations

from penstock.components.component import Component, Runs
from penstock.components.flow.hosts import hosts_of
from penstock.components.orchestrator.schema import SCHEMA

ORCHESTRATOR = Component(
    id="keboola.orchestrator",
    name="Orchestrator",
    type="other",
    description="Runs other configurations in phases; a phase begins when those it depends on have ended.",
    runs=Runs.ORCHESTRATION,
    configuration_schema=SCHEMA,
    hosts_of=hosts_of,
)
