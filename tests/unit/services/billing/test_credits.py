"""A project that pays as it goes: its balance, its free minutes, and what is refused without credits."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import event

from penstock.foundation import clock
from penstock.services.queue.models.statuses import Status
from penstock.services.queue.triggers.worker import TriggerWorker
from tests.support.http import Response
from tests.support.stacks import ServicesOnly
from tests.unit.services.billing.ledger import (
    NOON,
    check_ledger,
    check_ledger_totals,
    claimed,
    end,
    entries_of,
    pay_as_you_go,
    run_job,
    top_up,
)
from tests.unit.services.fill import add_project, first_project, load_table
from tests.unit.services.notification.deliveries import deliver_events
from tests.unit.services.query.workspaces import SqlWorkspace
from tests.unit.services.queue.flows.world import FLOW, World, job_task, phase
from tests.unit.services.queue.jobs import ORDERS
from tests.unit.services.scheduler.schedules import activate, clock_at, fire, show

FREE_HOUR = 3600
NOT_ENOUGH = "You do not have enough credits"


@pytest.fixture
def broke(services: ServicesOnly) -> ServicesOnly:
    """Its free minutes are used, and it has no credits."""
    project_id = first_project(services).caller.project_id
    pay_as_you_go(services, project_id)
    run_job(services, FREE_HOUR)
    return services


def balance(services: ServicesOnly) -> dict[str, Any]:
    response = services.service("billing").get("/credits")
    assert response.status == 200, response.text
    return response.json


def start(services: ServicesOnly) -> Response:
    return services.service("queue").post("/jobs", ORDERS)


def test_the_balance_is_what_was_bought_less_what_was_used(broke: ServicesOnly) -> None:
    services = broke
    project_id = first_project(services).caller.project_id
    top_up(services, project_id, "10")
    top_up(services, project_id, "0.5")
    run_job(services, 1800)
    run_job(services, 1, component="own.writer", component_type="writer", metrics=sizes(5 * 10**9))

    found = balance(services)
    assert (found["consumed"], found["remaining"]) == (2.0, 8.5)
    assert found["stats"]["componentJobs"] == {"consumed": 2.0}
    assert found["stats"]["workspaceJobs"] == {
        "workspaceType": "sandbox-sql",
        "warehouseSize": "small",
        "consumed": 0.0,
    }
    assert found["stats"]["freeMinutes"] == {"used": 60.0, "remaining": 0.0}
    assert services.service("billing").post("/credits").json == found


def test_what_was_used_before_a_project_pays_as_it_goes_is_not_owed(services: ServicesOnly) -> None:
    project_id = first_project(services).caller.project_id
    run_job(services, 10 * FREE_HOUR)
    assert (balance(services)["consumed"], balance(services)["remaining"]) == (20.0, 0.0)
    pay_as_you_go(services, project_id)
    assert balance(services)["remaining"] == 0.0
    run_job(services, FREE_HOUR)  # its free minutes
    top_up(services, project_id, "2")

    assert (balance(services)["remaining"], start(services).status) == (2.0, 201)
    run_job(services, FREE_HOUR / 2)
    assert (balance(services)["consumed"], balance(services)["remaining"]) == (21.0, 1.0)
    check_ledger_totals(services)


def test_nothing_is_owed_for_the_time_without_the_feature_and_a_debt_stays(broke: ServicesOnly) -> None:
    project_id = first_project(broke).caller.project_id
    run_job(broke, FREE_HOUR / 2)
    pay_as_you_go(broke, project_id, is_on=False)
    run_job(broke, 10 * FREE_HOUR)
    assert balance(broke)["remaining"] == -1.0
    pay_as_you_go(broke, project_id)

    assert (balance(broke)["remaining"], start(broke).status) == (-1.0, 402)
    top_up(broke, project_id, "3")
    assert (balance(broke)["remaining"], start(broke).status) == (2.0, 201)


def sizes(count: int) -> dict[str, Any]:
    return {"storage": {"inputTablesBytesSum": count, "outputTablesBytesSum": 0}}


def test_an_hour_a_month_is_free(services: ServicesOnly) -> None:
    project_id = first_project(services).caller.project_id
    pay_as_you_go(services, project_id)
    with clock_at(NOON) as moved:
        run_job(services, 2400)
        assert balance(services)["stats"]["freeMinutes"] == {"used": 40.0, "remaining": 20.0}
        assert start(services).status == 201
        run_job(services, 2400)
        assert balance(services)["consumed"] == pytest.approx(1200 / 3600 * 2, abs=1e-6)
        assert start(services).status == 402
        moved.move(days=31)
        assert balance(services)["stats"]["freeMinutes"] == {"used": 0.0, "remaining": 60.0}
        # The debt stays, and the free minutes are usable.
        assert start(services).status == 201
        run_job(services, 60)
    assert [entry["free"] // 1_000_000 for entry in entries_of(services, project_id)] == [2400, 1200, 60]
    check_ledger(services, frozenset({project_id}))


def test_without_credits_no_job_starts_and_a_top_up_ends_that(broke: ServicesOnly) -> None:
    project_id = first_project(broke).caller.project_id
    refused = start(broke)

    assert refused.status == 402
    assert refused.json["code"] == 402
    assert NOT_ENOUGH in refused.json["error"]
    assert f"penstock projects top-up AMOUNT --project {project_id}" in refused.json["error"]
    top_up(broke, project_id, "0.000001")
    assert start(broke).status == 201


def test_a_running_job_ends_and_may_leave_a_debt(broke: ServicesOnly) -> None:
    project_id = first_project(broke).caller.project_id
    top_up(broke, project_id, "1")
    with clock_at(clock.now()):
        job = claimed(broke, 3600)
        end(broke, job)

    assert balance(broke)["remaining"] == -1.0
    assert broke.service("queue").get(f"/jobs/{job.id}").json["status"] == "success"
    assert start(broke).status == 402


def test_without_the_feature_credits_do_not_matter_and_nothing_is_asked_of_billing(shared: ServicesOnly) -> None:
    seen: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_more: Any) -> None:
        seen.append(statement)

    engine = shared.stack.database.engine
    event.listen(engine, "before_cursor_execute", note)
    try:
        assert start(shared).status == 201
    finally:
        event.remove(engine, "before_cursor_execute", note)

    assert seen
    assert not [statement for statement in seen if "billing_" in statement or "management_credits" in statement]


def test_another_project_starts_jobs_meanwhile(broke: ServicesOnly) -> None:
    other = add_project(broke)
    wanted = {"component": "keboola.runner-config-test", "configData": {"parameters": {"operation": "list"}}}

    assert broke.service("queue", other.token).post("/jobs", wanted).status == 201


def test_a_schedule_records_why_it_started_nothing(broke: ServicesOnly) -> None:
    with clock_at(NOON) as moved:
        schedule = activate(broke, "0 * * * *")
        moved.move(hours=1)
        fire(broke)
        assert NOT_ENOUGH in show(broke, schedule)["lastError"]["message"]


def test_a_flow_that_runs_out_of_credits_fails_with_the_reason(broke: ServicesOnly) -> None:
    project_id, world = first_project(broke).caller.project_id, World(broke)
    top_up(broke, project_id, "1")
    world.configure("a", "b")
    tasks = [job_task("one", "p1", "a"), job_task("two", "p2", "b")]
    world.save(FLOW, "f", {"phases": [phase("p1", next=[{"id": "s", "goto": "p2"}]), phase("p2")], "tasks": tasks})
    flow = world.start(FLOW, "f")
    job = world.claim()
    assert job
    run_job(broke, 3600)  # meanwhile another job uses the credit
    world.finish(job)

    assert world.claim() is None
    assert world.find(flow).status is Status.ERROR
    assert NOT_ENOUGH in world.find(flow).result.decode()


def test_a_trigger_starts_nothing(broke: ServicesOnly) -> None:
    world = World(broke)
    world.configure("report")
    load_table(broke, "in.c-shop.orders", '"id"\n"1"\n')
    wanted = {
        "runWithTokenId": first_project(broke).caller.token_id,
        "component": "ex-generic-v2",
        "configurationId": "report",
        "coolDownPeriodMinutes": 5,
        "tableIds": ["in.c-shop.orders"],
    }
    assert world.storage.post("/v2/storage/triggers", wanted).status == 201
    load_table(broke, "in.c-shop.orders", '"id"\n"2"\n')
    deliver_events(broke.stack)
    assert TriggerWorker(broke.stack, "tests").run_one()

    assert world.claim() is None
    found = world.storage.get("/v2/storage/events?limit=100").json
    assert [each for each in found if NOT_ENOUGH in each["message"]]


def test_actions_and_queries_are_refused_too(broke: ServicesOnly) -> None:
    body = {"componentId": "ex-generic-v2", "action": "test_request", "configData": {"parameters": {}}}
    action = broke.service("sync-actions").post("/actions", body)
    query = SqlWorkspace(broke).submit("SELECT 1")

    for response in (action, query):
        assert response.status == 402, response.text
        assert NOT_ENOUGH in response.text


def test_a_query_is_charged_as_sql_once_and_counts_its_rows(services: ServicesOnly) -> None:
    project_id, workspace = first_project(services).caller.project_id, SqlWorkspace(services)
    workspace.run("SELECT * FROM range(5)", "SELECT 1", dialect="duckdb")
    workspace.run("SELECT not_a_column")

    found = entries_of(services, project_id)
    assert [(each["kind"], each["rows"]) for each in found] == [("query", 6), ("query", 0)]
    assert all(each["hour_price"] == 6_000_000 and each["duration"] > 0 for each in found)
    assert balance(services)["stats"]["workspaceJobs"]["consumed"] == sum(each["amount"] for each in found) / 10**6
    check_ledger(services)


def test_a_canceled_query_is_charged_once(services: ServicesOnly) -> None:
    project_id, workspace = first_project(services).caller.project_id, SqlWorkspace(services)
    submitted = workspace.submit("SELECT count(*) FROM range(100000000000) a, range(1000) b", dialect="duckdb")
    job_id = submitted.json["queryJobId"]
    assert workspace.query.post(f"/api/v1/queries/{job_id}/cancel", {"reason": "a test"}).status == 200

    assert [each["reference"] for each in entries_of(services, project_id)] == [job_id]
