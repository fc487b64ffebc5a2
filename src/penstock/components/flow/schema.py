"""The JSON schema of a flow's configuration; clients read it before they write flows."""

from __future__ import annotations

from penstock.components.json_schema import DRAFT, TEXT, Schema, a_list, an_object, name, text

NODE: Schema = {"$ref": "#/definitions/node"}
RETRY: Schema = {"$ref": "#/definitions/retry"}

TRANSITION = an_object(
    ["id", "goto"],
    id=name("Its id, unlike those of the phase's other transitions."),
    name=text("What it is called."),
    goto={"type": ["string", "null"], "description": "The phase to go to; null ends the flow."},
    condition={**NODE, "description": "When it is taken; none for the last one."},
)
PHASE = an_object(
    ["id", "name"],
    id=name("Its id, to which tasks and transitions refer."),
    name=name("What it is called."),
    description=text("What it is for."),
    retry={**RETRY, "description": "How its tasks are tried again."},
    next=a_list(TRANSITION, description="The first one whose condition is met is taken; the last one has none."),
)
JOB = an_object(
    ["type", "componentId", "mode"],
    type={"const": "job", "description": "A job: job."},
    componentId=name("The component to run."),
    configId=text("Its configuration."),
    configData={"type": "object", "description": "A configuration in place of a stored one."},
    configRowIds=a_list(TEXT, description="The rows to run; all of them unless set."),
    mode={"enum": ["run"], "description": "How it runs."},
    delay={"type": ["integer", "string"], "description": "Seconds to wait before the job begins."},
    retry={**RETRY, "description": "How it is tried again."},
    variableOverrides=a_list(TEXT, description="The variables of the flow that the job is given."),
)
RECIPIENT = an_object(
    ["channel", "address"],
    channel={"enum": ["email", "webhook"], "description": "The way."},
    address=text("The address."),
)
NOTIFICATION = an_object(
    ["type", "recipients", "title"],
    type={"const": "notification", "description": "A message: notification."},
    title=text("Its title."),
    message=text("Its text."),
    recipients=a_list(RECIPIENT, minItems=1, description="Who gets it."),
)
VARIABLE = an_object(
    ["type", "name"],
    type={"const": "variable", "description": "A variable: variable."},
    name=name("The name of the variable."),
    value={"description": "Its value."},
    source={**NODE, "description": "Where its value comes from, in place of value."},
)
TASK = an_object(
    ["id", "name", "phase", "task"],
    id=name("Its id, unlike that of any other task."),
    name=name("What it is called."),
    phase=name("The phase that it belongs to."),
    enabled={"type": "boolean", "default": True, "description": "Whether it runs."},
    task={"oneOf": [JOB, NOTIFICATION, VARIABLE], "description": "What it does."},
)
STRATEGY = an_object(
    [],
    maxRetries={"type": "integer", "minimum": 0, "default": 3, "description": "How often at most."},
    delay={"type": "integer", "minimum": 0, "default": 10, "description": "Seconds between two attempts."},
)
REASON = an_object(
    ["type", "value"],
    type={"enum": ["errorMessageContains", "errorMessageExact"], "description": "How the message is compared."},
    value=text("What it is compared with."),
)
OPERATORS = [
    *("AND", "OR", "EQUALS", "NOT_EQUALS", "GREATER_THAN", "LESS_THAN", "INCLUDES", "CONTAINS"),
    *("ALL_TASKS_IN_PHASE", "ANY_TASKS_IN_PHASE", "ANY_TASKS_IN_ANY_PHASE", "CONTINUE_ON_FAILURE"),
]
SCHEMA: Schema = {
    "$schema": DRAFT,
    **an_object(
        ["phases", "tasks"],
        phases=a_list(PHASE, description="The steps; the first one begins."),
        tasks=a_list(TASK, description="What runs in them."),
    ),
    "definitions": {
        "retry": an_object(
            [],
            strategy={"enum": ["linear"], "description": "How waits grow."},
            strategyParams={**STRATEGY, "description": "How often, and when."},
            retryOn=a_list(REASON, description="Which errors; all of them unless set."),
        ),
        "node": an_object(
            ["type"],
            type={
                "enum": ["const", "constant", "variable", "phase", "task", "array", "function", "operator"],
                "description": "What it is.",
            },
            value={"description": "Of a constant or variable: it; of a phase or task: what is asked of it."},
            phase=text("The id of a phase."),
            task=text("The id of a task."),
            tasks=a_list(TEXT, description="Ids of tasks."),
            function={"enum": ["COUNT", "DATE"], "description": "Of a function: which."},
            operator={"enum": OPERATORS, "description": "Of an operator: which."},
            operands=a_list(NODE, description="What it works on."),
        ),
    },
}
