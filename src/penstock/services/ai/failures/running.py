"""What a job needs besides its component: tables and files, variables, secrets, and limits that it keeps within."""

from __future__ import annotations

import re

from penstock.services.ai.failures.diagnosis import Known
from penstock.services.ai.failures.places import of_item, of_value

_INPUT, _OUTPUT = "components/input-mapping.md", "components/output-mapping.md"
_VARIABLES = "services/queue/variables.md"

RUNNING = (
    Known(
        pattern=re.compile(r"The table \"(?P<value>[^\"]*)\" of the input mapping was not found"),
        cause="The job reads the table `{value}`, which does not exist in this project or branch.",
        path="storage.input.tables[].source",
        place=of_item("storage.input.tables", "source"),
        fix="Correct the id of the table, or run the configuration that creates it first.",
        page=_INPUT,
    ),
    Known(
        pattern=re.compile(r"The file \"(?P<value>[^\"]*)\" of the input mapping was not found"),
        cause="The job reads the file {value}, which does not exist any more.",
        path="storage.input.files[].file_ids",
        fix="Remove it there, or select files by their tags.",
        page=_INPUT,
    ),
    Known(
        pattern=re.compile(r"The destination \"(?P<value>[^\"]*)\" is there twice"),
        cause="Two items of the input mapping have the destination `{value}`.",
        path="storage.input.tables[].destination",
        place=of_item("storage.input.tables", "destination"),
        fix="Give one of them another name.",
        page=_INPUT,
    ),
    Known(
        pattern=re.compile(r"Unrecognized option \"(?P<value>[^\"]*)\" under \"container\.(?P<where>[\w.]+)\""),
        cause="`{value}` is not a setting of a mapping.",
        path="{where}.{value}",
        fix="Correct its name, or remove it.",
        page=_INPUT,
    ),
    Known(
        pattern=re.compile(r"Table sources not found: \"(?P<value>[^\"]*)\""),
        cause="The output mapping has `{value}`, which the component did not write.",
        path="storage.output.tables[].source",
        place=of_item("storage.output.tables", "source"),
        fix="Correct the name of the file there, or let the component write it.",
        page=_OUTPUT,
    ),
    Known(
        pattern=re.compile(r"Failed to resolve destination for output table \"(?P<value>[^\"]*)\""),
        cause="Nothing says into which bucket the table `{value}` goes.",
        path="storage.output.default_bucket",
        fix="Set it to the id of a bucket, such as in.c-main, or add the table to `storage.output.tables` with its "
        "destination.",
        page=_OUTPUT,
    ),
    Known(
        pattern=re.compile(
            r"Some columns are missing in the csv file|The table \"[^\"]*\" has no columns? \"|"
            r"The primary key has columns that the table does not have"
        ),
        cause="The columns of what was written and those of the table in Storage differ.",
        path="storage.output.tables",
        fix="Correct the columns or the primary key there. To start afresh, delete the table in Storage and run again.",
        page=_OUTPUT,
    ),
    Known(
        pattern=re.compile(r"Variable configuration cannot be read"),
        cause="The configuration uses variables that do not exist.",
        path="variables_id",
        fix="Set it to the id of a configuration of keboola.variables.",
        page=_VARIABLES,
    ),
    Known(
        pattern=re.compile(r"Missing values for placeholders: vault\.(?P<name>[\w.-]+)"),
        cause="The configuration has the placeholder `vault.{name}`, but the vault has no such variable.",
        path="parameters",
        fix="Create the variable `{name}` in the vault, or correct the name in the placeholder.",
        page="services/vault.md",
    ),
    Known(
        pattern=re.compile(r"Missing values for placeholders: (?P<names>[^\n]+)"),
        cause="The configuration has placeholders without values: {names}.",
        path="variables_values_id",
        fix="Add the values to the row of keboola.variables that is named there, or send them with the job as "
        "`variableValuesData`.",
        page=_VARIABLES,
    ),
    Known(
        pattern=re.compile(r"No (?:variable values|value) provided for|Cannot read variable values|Variable values"),
        cause="The variables of the configuration have no values, or not all.",
        path="variables_values_id",
        fix="Set it to a row of the variables' configuration that has all values, or send them with the job as "
        "`variableValuesData`.",
        page=_VARIABLES,
    ),
    Known(
        pattern=re.compile(r"Shared code configuration"),
        cause="The configuration uses shared code that does not exist or cannot be used.",
        path="shared_code_id",
        fix="Set it to a configuration of keboola.shared-code, and `shared_code_row_ids` to rows of it.",
        page=_VARIABLES,
    ),
    Known(
        pattern=re.compile(r"The encrypted value at `(?P<path>[^`]+)` cannot be decrypted here"),
        cause="The secret was encrypted for another stack, project or component, or was altered.",
        path="{path}",
        fix="Enter the secret again.",
        page="services/encryption.md#what-a-cipher-is-limited-to",
    ),
    Known(
        pattern=re.compile(r"None of rows \"(?P<rows>[^\"]*)\" was found"),
        cause="The job was to run the rows {rows}, which the configuration does not have.",
        path="",
        fix="Correct `configRowIds` of the job, of the task of the flow, or of the schedule that started it.",
        page="services/queue/jobs.md#fields",
    ),
    Known(
        pattern=re.compile(
            r"The processor \"(?P<value>[^\"]*)\" is not there|The component \"(?P<other>[^\"]*)\" is of type"
        ),
        cause="The configuration names a processor that does not exist, or a component that is not a processor.",
        path="processors",
        place=of_value("component"),
        fix="Correct it, or remove it from `processors`.",
        page="components/own.md#a-processor",
    ),
    Known(
        pattern=re.compile(r"The token that started this job was revoked or has expired"),
        cause="The token that started the job was revoked or has expired.",
        path="",
        fix="Run the job again with another token. Activate its schedule again if a schedule started it.",
        page="services/scheduler.md#the-token",
    ),
    Known(
        pattern=re.compile(r"exceeded the timeout of (?P<seconds>\d+) seconds"),
        cause="The job ran longer than the {seconds} seconds that its component may take.",
        path="",
        fix="Let it read less at a time: only new records, fewer endpoints, or rows of the configuration that run as "
        "jobs of their own.",
        page="components/isolation.md#limits",
    ),
    Known(
        pattern=re.compile(r"Component out of memory: .*? may use (?P<megabytes>\d+) MB"),
        cause="The component needed more than the {megabytes} MB of memory that it may use.",
        path="runtime.backend.type",
        fix="Set it to `medium` or `large`, or give the component less at a time.",
        page="components/isolation.md#limits",
    ),
    Known(
        pattern=re.compile(r"used too much disk space|made too many files|disk of the stack is nearly full"),
        cause="The job needed more disk space than it may use, or than the stack has.",
        path="",
        fix="Let it read less at a time, or ask the operator for more space.",
        page="operating.md#a-full-disk",
    ),
    Known(
        pattern=re.compile(r"Configuration \"(?P<config>[^\"]*)\" of component \"[^\"]*\" is disabled"),
        cause="The configuration {config} is disabled.",
        path="isDisabled",
        fix="Enable the configuration, or run it with the mode `forceRun`.",
        page="services/queue/jobs.md#fields",
    ),
)
