"""What a flow's configuration looks like, as a JSON schema; clients read it before they write flows."""

from __future__ import annotations

from typing import Any

TEXT: dict[str, Any] = {"type": "string", "minLength": 1}
NODE: dict[str, Any] = {"$ref": "#/definitions/node"}
RETRY: dict[str, Any] = {"$ref": "#/definitions/retry"}


def _object(required: list[str], **properties: Any) -> dict[str, Any]:
    return (
        {"type": "object", "required": required, "properties": properties}
        if required
        else {
            "type": "object",
            "properties": properties,
        }
    )


def _list(item: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "array", "items": item, **more}


TRANSITION = _object(
    ["id", "goto"],
    id=TEXT,
    name={"type": "string"},
    goto={"type": ["string", "null"], "description": "The phase to go to; null ends the flow."},
    condition=NODE,
)
PHASE = _object(
    ["id", "name"],
    id=TEXT,
    name=TEXT,
    description={"type": "string"},
    retry=RETRY,
    next=_list(TRANSITION, description="The first one whose condition is met is taken; the last one has none."),
)
JOB = _object(
    ["type", "componentId", "mode"],
    type={"const": "job"},
    componentId=TEXT,
    configId={"type": "string"},
    configData={"type": "object"},
    configRowIds=_list({"type": "string"}),
    mode={"enum": ["run"]},
    delay={"type": ["integer", "string"], "description": "Seconds to wait before the job begins."},
    retry=RETRY,
    variableOverrides=_list({"type": "string"}, description="The variables of the flow that the job is given."),
)
RECIPIENT = _object(["channel", "address"], channel={"enum": ["email", "webhook"]}, address={"type": "string"})
NOTIFICATION = _object(
    ["type", "recipients", "title"],
    type={"const": "notification"},
    title={"type": "string"},
    message={"type": "string"},
    recipients=_list(RECIPIENT, minItems=1),
)
VARIABLE = _object(["type", "name"], type={"const": "variable"}, name=TEXT, value={}, source=NODE)
TASK = _object(
    ["id", "name", "phase", "task"],
    id=TEXT,
    name=TEXT,
    phase=TEXT,
    enabled={"type": "boolean", "default": True},
    task={"oneOf": [JOB, NOTIFICATION, VARIABLE]},
)
STRATEGY = _object(
    [],
    maxRetries={"type": "integer", "minimum": 0, "default": 3},
    delay={"type": "integer", "minimum": 0, "default": 10, "description": "Seconds between two attempts."},
)
REASON = _object(
    ["type", "value"], type={"enum": ["errorMessageContains", "errorMessageExact"]}, value={"type": "string"}
)
OPERATORS = [
    *("AND", "OR", "EQUALS", "NOT_EQUALS", "GREATER_THAN", "LESS_THAN", "INCLUDES", "CONTAINS"),
    *("ALL_TASKS_IN_PHASE", "ANY_TASKS_IN_PHASE", "ANY_TASKS_IN_ANY_PHASE", "CONTINUE_ON_FAILURE"),
]
SCHEMA: dict[str, Any] = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    **_object(["phases", "tasks"], phases=_list(PHASE), tasks=_list(TASK)),
    "definitions": {
        "retry": _object([], strategy={"enum": ["linear"]}, strategyParams=STRATEGY, retryOn=_list(REASON)),
        "node": _object(
            ["type"],
            type={"enum": ["const", "constant", "variable", "phase", "task", "array", "function", "operator"]},
            value={},
            phase={"type": "string"},
            task={"type": "string"},
            tasks=_list({"type": "string"}),
            function={"enum": ["COUNT", "DATE"]},
            operator={"enum": OPERATORS},
            operands=_list(NODE),
        ),
    },
}
