"""Every tool over both transports, on a whole stack."""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest
from mcp.client.client import Client

from penstock.mcp.tools import TOOLS
from tests.support.agents import over_http, over_stdio, refused, use
from tests.support.stacks import RunningStack

GENERIC = "ex-generic-v2"
SAMPLE = "http://sample.penstock.localhost"


def connect(stack: RunningStack, transport: str) -> AbstractAsyncContextManager[Client]:
    if transport == "stdio":
        return over_stdio(stack.folder)
    mode = {"streamable HTTP": "auto", "older streamable HTTP": "legacy"}[transport]
    return over_http(stack.greeting["storageUrl"], mode=mode, X_StorageApi_Token=stack.greeting["token"])


class Recorded:
    """An agent, with the names of the tools that it has used."""

    def __init__(self, agent: Client) -> None:
        self.agent, self.used = agent, set[str]()

    async def use(self, name: str, /, **arguments: Any) -> dict[str, Any]:
        self.used.add(name)
        return await use(self.agent, name, **arguments)


@pytest.mark.parametrize("transport", ["stdio", "streamable HTTP", "older streamable HTTP"])
def test_every_tool_does_its_work(stack: RunningStack, transport: str) -> None:
    async def work() -> set[str]:
        async with connect(stack, transport) as agent:
            assert [tool.name for tool in (await agent.list_tools()).tools] == [tool.name for tool in TOOLS]
            recorded = Recorded(agent)
            config_id = await make_configuration(recorded)
            await read_rows(recorded, await run(recorded, config_id))
            await change_rows(recorded)
            await explain(recorded)
            await automate(recorded, config_id)
            return recorded.used

    assert asyncio.run(work()) == {tool.name for tool in TOOLS}, "a tool has no test"


async def make_configuration(agent: Recorded) -> str:
    assert (await agent.use("get_project"))["only_reads"] is False
    part = await agent.use("get_component", component_id=GENERIC)
    more = await agent.use("get_component", component_id=GENERIC, **part["next"])
    assert "## Examples" in part["text"] + more["text"]
    found = await agent.use("discover_api", url=f"{SAMPLE}/customers")
    assert any(each.startswith("pagination: offset") for each in found["proven"])
    parameters = found["configuration"]["parameters"]
    parameters["config"] |= {"outputBucket": "agent", "#key": "canary-secret"}
    new = {"component_id": GENERIC, "name": "Customers", "configuration": found["configuration"]}
    made = await agent.use("create_configuration", **new)
    assert made["configuration"]["parameters"]["config"]["#key"] == "[hidden]"
    place = {"component_id": GENERIC, "config_id": made["config_id"]}
    changed = await agent.use(
        "update_configuration", **place, configuration=made["configuration"], change_description="The same again."
    )
    assert changed["version"] == 2
    shown = await agent.use("get_configuration", **place, path="parameters.config.jobs.0")
    assert (shown["configuration"]["endpoint"], shown["change_description"]) == ("customers", "The same again.")
    return made["config_id"]


async def run(agent: Recorded, config_id: str) -> str:
    job = await agent.use("run_job", component_id=GENERIC, config_id=config_id, wait_seconds=0)
    job = await agent.use("get_job", job_id=job["job"]["job_id"], wait_seconds=50, log_lines=5)
    assert (job["job"]["status"], len(job["log"])) == ("success", 5), job
    older = await agent.use("get_job", **job["next"])
    assert older["log"][-1] != job["log"][-1]
    return job["tables"][0]


async def read_rows(agent: Recorded, table_id: str) -> None:
    found = await agent.use("search", words="agent customers", kinds=["tables"])
    assert found["hits"][0]["id"] == table_id
    table = await agent.use("get_table", table_id=table_id, rows=3)
    assert (len(table["sample"]), table["columns"][0]["name"]) == (3, "id")
    first = await agent.use("query_sql", statement='FROM "in.c-agent"."customers"', rows=2)
    more = await agent.use("query_sql", **first["next"], rows=2)
    assert first["number_of_rows"] == table["rows"]
    assert [row[0] for row in first["rows"] + more["rows"]] == [row[0] for row in await four_rows(agent)]


async def change_rows(agent: Recorded) -> None:
    await agent.use("write_sql", statement="CREATE OR REPLACE TABLE notes (n INTEGER)", confirm=True)
    changed = await agent.use("write_sql", statement="INSERT INTO notes VALUES (1), (2)", confirm=True)
    assert changed["rows_affected"] == 2
    assert (await agent.use("query_sql", statement="SELECT sum(n) FROM notes"))["rows"] == [["3"]]
    await agent.use("write_sql", statement="DROP TABLE notes", confirm=True)


async def four_rows(agent: Recorded) -> list[list[str]]:
    return (await agent.use("query_sql", statement='FROM "in.c-agent"."customers" LIMIT 4'))["rows"]


async def explain(agent: Recorded) -> None:
    broken = {"parameters": {"api": {"baseUrl": f"{SAMPLE}/"}, "config": {"jobs": [{"endpoint": "nowhere"}]}}}
    made = await agent.use("create_configuration", component_id=GENERIC, name="Broken", configuration=broken)
    job = await agent.use("run_job", component_id=GENERIC, config_id=made["config_id"], wait_seconds=50)
    assert job["job"]["status"] == "error", job
    why = await agent.use("explain_failure", job_id=job["job"]["job_id"])
    assert "404" in why["job"]["message"]
    assert "Something is not there: check addresses, ids and names in the configuration." in why["advice"]
    assert "no job of this configuration succeeded before" in why["explanation"]


async def automate(agent: Recorded, config_id: str) -> None:
    flow = await agent.use("create_flow", name="Nightly", phases=[[{"component_id": GENERIC, "config_id": config_id}]])
    flows = await agent.use("list_flows", config_id=flow["config_id"])
    assert flows["flows"][0]["tasks"][0]["config_id"] == config_id
    target = {"component_id": flow["component_id"], "config_id": flow["config_id"]}
    schedule = await agent.use("create_schedule", **target, cron="30 2 * * *", timezone="Europe/Prague")
    number = schedule["schedule_id"]
    assert number in [each["schedule_id"] for each in (await agent.use("list_schedules", limit=100))["schedules"]]
    await stop(agent, flow)
    assert "call again with `confirm: true`" in await refused(agent.agent, "delete_schedule", schedule_id=number)
    await agent.use("delete_schedule", schedule_id=number, confirm=True)
    assert number not in [each["schedule_id"] for each in (await agent.use("list_schedules", limit=100))["schedules"]]


async def stop(agent: Recorded, flow: dict[str, Any]) -> None:
    target = {"component_id": flow["component_id"], "config_id": flow["config_id"]}
    job_id = (await agent.use("run_job", **target, wait_seconds=0))["job"]["job_id"]
    assert "call again with `confirm: true`" in await refused(agent.agent, "stop_job", job_id=job_id)
    stopped = await agent.use("stop_job", job_id=job_id, confirm=True)
    assert stopped["job"]["status"] in ("terminating", "cancelled", "terminated", "success")
