"""Components without a program: other components, services and programs read their configurations."""

from __future__ import annotations

from typing import Any

from penstock.components.component import Component, Runs
from penstock.components.json_schema import TEXT, a_list, an_object, name, text

_ONLY_READ = "It has only configurations, which other components and services read."
_PAIR = an_object(
    ["name"],
    name=name("The name of a variable."),
    value={"type": ["string", "number", "boolean"], "description": "Its value."},
)
_TEXTS = ["array", "string"]
_CRON = {"type": "string", "description": "Five fields: minute, hour, day of month, month, day of week."}
_SCHEDULE = an_object(
    ["cronTab", "timezone", "state"],
    cronTab=_CRON,
    timezone=name("The time zone of the fields, such as Europe/Prague or +0100."),
    state={"enum": ["enabled", "disabled"], "description": "Whether it counts."},
)
_TARGET = an_object(
    ["componentId", "configurationId", "mode"],
    componentId=name("The component to run."),
    configurationId=name("Its configuration."),
    configurationRowIds=a_list(TEXT, description="The rows to run; all of them unless set."),
    mode={"enum": ["run", "forceRun", "debug"], "description": "How it runs."},
    tag=text("The version of the component."),
)


def _config_only(**fields: Any) -> Component:
    defaults: dict[str, Any] = {
        "type": "other",
        "runs": Runs.NOTHING,
        "why_not_runnable": _ONLY_READ,
        "flags": ("excludeFromNewList",),
    }
    return Component(**{**defaults, **fields})


CONFIG_ONLY = (
    _config_only(
        id="keboola.variables",
        name="Variables",
        description="Names of variables, and rows with sets of their values.",
        long_description="A configuration lists the names; each row of it is one set of values. A configuration of "
        "another component refers to both with `variables_id` and `variables_values_id`, and has `{{ name }}` where a "
        "value goes.",
        configuration_schema=an_object(
            [],
            variables=a_list(
                an_object(["name"], name=name("A name."), type={"const": "string", "description": "Always string."}),
                description="The names of the variables.",
            ),
        ),
        configuration_row_schema={
            **an_object([], values=a_list(_PAIR, description="One value for each name.")),
            "title": "Values",
        },
        configuration_examples=({"variables": [{"name": "country", "type": "string"}]},),
        configuration_row_examples=({"values": [{"name": "country", "value": "CZ"}]},),
    ),
    _config_only(
        id="keboola.shared-code",
        name="Shared code",
        description="Code that transformations use by name.",
        long_description="A configuration belongs to one component, its `componentId`; each row is one text of code. A "
        "transformation refers to them with `shared_code_id` and `shared_code_row_ids`, and writes `{{ row-id }}`.",
        configuration_schema=an_object([], componentId=text("The component whose configurations use the code.")),
        configuration_row_schema={
            **an_object([], code_content={**a_list(TEXT, description="The code: a text, or several."), "type": _TEXTS}),
            "title": "Code",
        },
        configuration_examples=({"componentId": "keboola.duckdb-transformation"},),
        configuration_row_examples=({"code_content": ["CREATE TABLE days AS SELECT unnest(range(7)) AS day"]},),
    ),
    _config_only(
        id="keboola.scheduler",
        name="Scheduler",
        description="When a configuration is to be run.",
        long_description="Each configuration is one schedule: `schedule` says when, `target` says what. It runs by "
        "cron when it was activated: POST /schedules of the scheduler, or `penstock schedules activate`.",
        why_not_runnable="A schedule runs its target: make a job of the target's component and configuration.",
        configuration_schema=an_object(
            [],
            schedule={**_SCHEDULE, "description": "When."},
            target={**_TARGET, "description": "What."},
        ),
        configuration_examples=(
            {
                "schedule": {"cronTab": "0 6 * * *", "timezone": "UTC", "state": "enabled"},
                "target": {"componentId": "ex-generic-v2", "configurationId": "sample-customers", "mode": "run"},
            },
        ),
    ),
    _config_only(
        id="keboola.mcp-server-tool",
        name="MCP server",
        description="What the workspace of the MCP server belongs to.",
        why_not_runnable="The MCP server alone uses its configurations.",
    ),
    _config_only(
        id="keboola.keboola-as-code",
        name="Keboola as code",
        description="The command line program kbc; its events are kept.",
        why_not_runnable="The command line program kbc runs on your machine; only its events are kept here.",
    ),
)
