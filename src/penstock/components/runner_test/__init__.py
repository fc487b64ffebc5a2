"""A component for trying out the platform: it does what `parameters.operation` says. Run as a module."""

from __future__ import annotations

from penstock.components.component import Component
from penstock.components.runner_test.operations import OPERATIONS

RUNNER_TEST = Component(
    id="keboola.runner-config-test",
    name="Runner test",
    type="other",
    description="Does what its parameters say, to try out how jobs run.",
    module="penstock.components.runner_test",
    network="none",
    flags=("excludeFromNewList",),
    configuration_schema={
        "type": "object",
        "title": "Parameters",
        "properties": {
            "operation": {"type": "string", "enum": sorted(OPERATIONS)},
            "timeout": {"type": "number", "description": "Seconds, for sleep."},
            "code": {"type": "integer", "description": "For exit."},
            "message": {"type": "string", "description": "For user-error and application-error."},
            "table": {"type": "string", "description": "The name of the file, for write-table."},
            "rows": {"type": "array", "items": {"type": "object"}, "description": "For write-table."},
            "state": {"type": "object", "description": "For create-state."},
            "arbitrary": {"description": "Anything."},
        },
        "required": ["operation"],
    },
    empty_configuration={"parameters": {"operation": "list"}},
)
