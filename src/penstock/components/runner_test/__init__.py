"""A component for testing the platform: it does what `parameters.operation` selects. Run as a module."""

from __future__ import annotations

from penstock.components.component import Component
from penstock.components.json_schema import Schema, build_schema
from penstock.components.runner_test.operations import OPERATIONS, Parameters


def _schema() -> Schema:
    schema = build_schema(Parameters)
    schema["properties"]["operation"]["enum"] = sorted(OPERATIONS)
    schema["properties"]["arbitrary"] = {"description": "Anything; dump-config shows it."}
    return schema


RUNNER_TEST = Component(
    id="keboola.runner-config-test",
    name="Runner test",
    type="other",
    description="Does what its parameters say, to try out how jobs run.",
    module="penstock.components.runner_test",
    network="none",
    flags=("genericDockerUI", "excludeFromNewList"),
    configuration_schema=_schema(),
    configuration_description="`parameters.operation` says what to do; others belong to single operations.",
    configuration_examples=(
        {"parameters": {"operation": "write-table", "table": "in.c-try.people", "rows": [{"id": "1", "name": "Ann"}]}},
        {"parameters": {"operation": "sleep", "timeout": 1}},
    ),
    empty_configuration={"parameters": {"operation": "list"}},
)
