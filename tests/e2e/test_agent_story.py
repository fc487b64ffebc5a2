"""An agent finds the records of an API, creates the configuration, runs it, queries the table and schedules it."""

from __future__ import annotations

import asyncio

from mcp.client.client import Client

from penstock.services.sample.data import customers
from tests.support.agents import over_http, refused, use
from tests.support.stacks import RunningStack

GENERIC = "ex-generic-v2"


def test_an_agent_reads_an_api_every_night(stack: RunningStack) -> None:
    async def tell() -> None:
        token = stack.greeting["token"]
        async with over_http(stack.greeting["storageUrl"], Authorization=f"Bearer {token}") as agent:
            config_id = await _configure(agent)
            await _run_and_ask(agent, config_id)
            await _schedule(agent, config_id)

    asyncio.run(tell())


async def _configure(agent: Client) -> str:
    """What was proven becomes a configuration, in a bucket of its own."""
    found = await use(agent, "discover_api", url="http://sample.penstock.localhost/customers")
    found["configuration"]["parameters"]["config"]["outputBucket"] = "night"
    wanted = {"component_id": found["component_id"], "name": "Customers", "configuration": found["configuration"]}
    return (await use(agent, "create_configuration", **wanted, change_description="Discovered."))["config_id"]


async def _run_and_ask(agent: Client, config_id: str) -> None:
    job = await use(agent, "run_job", component_id=GENERIC, config_id=config_id, wait_seconds=50)
    assert job["job"]["status"] == "success", job
    assert "in.c-night.customers" in job["tables"]
    statement = """SELECT count(*) AS customers, count(DISTINCT id) AS ids FROM "in.c-night"."customers" """
    answer = await use(agent, "query_sql", statement=statement)
    assert answer["rows"] == [[str(len(customers()))] * 2]


async def _schedule(agent: Client, config_id: str) -> None:
    target = {"component_id": GENERIC, "config_id": config_id}
    assert "The field minute" in await refused(agent, "create_schedule", **target, cron="99 2 * * *")
    schedule = await use(agent, "create_schedule", **target, cron="30 2 * * *", timezone="Europe/Prague")
    assert len(schedule["next_runs"]) == 3
    listed = (await use(agent, "list_schedules", limit=100))["schedules"]
    assert [each["runs_config_id"] for each in listed if each["schedule_id"] == schedule["schedule_id"]] == [config_id]
    await use(agent, "delete_schedule", schedule_id=schedule["schedule_id"], confirm=True)
