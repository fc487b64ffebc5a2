"""The tools, one file per group.

project.py         the project of the token
search.py          tables, configurations, components and jobs by words
tables.py          the columns of a table, with rows
sql.py             statements over the tables
components.py      the settings of a component, with examples
configurations.py  configurations: read, create, update
apis.py            from the address of an API to a configuration
jobs.py            run, follow and stop jobs
failures.py        why a job failed
flows.py           flows: read, create
schedules.py       schedules: list, create, delete
views.py           things that several tools return
"""

from __future__ import annotations

from penstock.mcp.tool import Tool, tool
from penstock.mcp.tools.apis import discover_api
from penstock.mcp.tools.components import get_component
from penstock.mcp.tools.configurations import create_configuration, get_configuration, update_configuration
from penstock.mcp.tools.failures import explain_failure
from penstock.mcp.tools.flows import create_flow, list_flows
from penstock.mcp.tools.jobs import get_job, run_job, stop_job
from penstock.mcp.tools.project import get_project
from penstock.mcp.tools.schedules import create_schedule, delete_schedule, list_schedules
from penstock.mcp.tools.search import search
from penstock.mcp.tools.sql import query_sql, write_sql
from penstock.mcp.tools.tables import get_table

TOOLS: tuple[Tool, ...] = (
    tool(get_project),
    tool(search),
    tool(get_table),
    tool(query_sql),
    tool(write_sql, is_destructive=True),
    tool(get_component),
    tool(get_configuration),
    tool(create_configuration, changes=True),
    tool(update_configuration, changes=True),
    tool(discover_api, changes=True, is_open_world=True),
    tool(run_job, changes=True, is_open_world=True),
    tool(get_job),
    tool(stop_job, is_destructive=True),
    tool(explain_failure),
    tool(list_flows),
    tool(create_flow, changes=True),
    tool(list_schedules),
    tool(create_schedule, changes=True, is_open_world=True),
    tool(delete_schedule, is_destructive=True),
)
"""Every tool, and the only list of them."""
