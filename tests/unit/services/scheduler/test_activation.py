"""Activation, and what the routes show of schedules."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import event

from penstock.services.scheduler import operations
from tests.support.stacks import ServicesOnly
from tests.unit.services.scheduler.schedules import NOON, activate, clock_at, configure, definition, fire, post, show


def test_an_activated_configuration_is_a_schedule(services_on_each: ServicesOnly) -> None:
    with clock_at(NOON):
        made = activate(services_on_each, "30 6 * * *", "Europe/Prague", configurationRowIds=["a", "b"])
    scheduler = services_on_each.service("scheduler")

    assert made == {
        "id": made["id"],
        "tokenId": made["tokenId"],
        "configurationId": made["configurationId"],
        "configurationVersionId": "1",
        "schedule": {"cronTab": "30 6 * * *", "timezone": "Europe/Prague", "state": "enabled"},
        "target": {
            "componentId": "ex-generic-v2",
            "configurationId": "sample-customers",
            "configurationRowIds": ["a", "b"],
            "mode": "run",
            "tag": "",
        },
        "executions": [],
        "nextRuns": [f"2026-06-0{day}T04:30:00+00:00" for day in range(2, 7)],
        "lastError": None,
    }
    assert made["id"].isdecimal()
    assert show(services_on_each, made) == made
    assert scheduler.get("/schedules").json == [made]
    assert scheduler.get("/schedules?componentId=ex-generic-v2&configurationId=sample-customers").json == [made]
    assert scheduler.get("/schedules?componentId=ex-generic-v2&configurationId=other").json == []
    assert scheduler.delete(f"/schedules/{made['id']}").status == 204
    assert scheduler.get("/schedules").json == []
    assert scheduler.delete(f"/schedules/{made['id']}").status == 404


def test_activating_again_keeps_the_id_and_the_token_and_takes_the_newest_version(shared: ServicesOnly) -> None:
    made = activate(shared)
    path = f"/v2/storage/components/keboola.scheduler/configs/{made['configurationId']}"
    changed = definition("15 * * * *", mode="debug", tag=7)
    assert shared.service("storage").put(path, {"configuration": changed}).status == 200
    assert show(shared, made)["schedule"]["cronTab"] == "0 * * * *", "not before it is activated"

    body = {"configurationId": made["configurationId"]}
    again = shared.service("scheduler").post("/schedules", body).json
    assert (again["id"], again["tokenId"], again["configurationVersionId"]) == (made["id"], made["tokenId"], "2")
    assert (again["schedule"]["cronTab"], again["target"]["mode"], again["target"]["tag"]) == (
        "15 * * * *",
        "debug",
        "7",
    )

    old = shared.service("scheduler").post("/schedules", {**body, "configurationVersionId": "1"}).json
    assert (old["configurationVersionId"], old["schedule"]["cronTab"]) == ("1", "0 * * * *")
    refused = shared.service("scheduler").post("/schedules", {**body, "configurationVersionId": "9"})
    assert refused.status == 404


def test_the_token_of_a_schedule_may_create_jobs_and_is_deleted_with_it(shared: ServicesOnly) -> None:
    made = activate(shared)
    path = f"/v2/storage/tokens/{made['tokenId']}"
    token = shared.service("storage").get(path).json

    assert token["description"] == "[_internal] Scheduler"
    assert (token["canManageBuckets"], token["canManageTokens"], token["isMasterToken"]) == (True, False, False)
    assert token["expires"] is None

    assert shared.service("scheduler").delete(f"/configurations/{made['configurationId']}").status == 204
    assert shared.service("scheduler").delete(f"/configurations/{made['configurationId']}").status == 204
    assert shared.service("storage").get(path).status == 404


def test_refreshing_keeps_the_id_of_the_token_or_replaces_a_deleted_one(shared: ServicesOnly) -> None:
    made, storage = activate(shared), shared.service("storage")
    path = f"/v2/storage/tokens/{made['tokenId']}"
    before = storage.get(path).json

    refreshed = shared.service("scheduler").post(f"/schedules/{made['id']}/refreshToken")
    assert (refreshed.status, refreshed.body) == (202, b"")
    after = storage.get(path).json
    assert (after["id"], after["created"]) == (before["id"], before["created"])

    assert storage.delete(path).status == 204
    assert shared.service("scheduler").post(f"/schedules/{made['id']}/refreshToken").status == 202
    replaced = show(shared, made)["tokenId"]
    assert replaced != made["tokenId"]
    assert storage.get(f"/v2/storage/tokens/{replaced}").status == 200


def test_a_list_of_schedules_takes_as_many_queries_as_one(services_on_each: ServicesOnly) -> None:
    with clock_at(NOON) as clock:
        made = [activate(services_on_each, "*/10 * * * *") for _ in range(3)]
        queries = [count_queries(services_on_each, "/schedules")]
        for _ in range(12):
            clock.move(minutes=10)
            fire(services_on_each)
        made += [activate(services_on_each) for _ in range(3)]
        queries.append(count_queries(services_on_each, "/schedules"))
        listed = services_on_each.service("scheduler").get("/schedules").json

        assert listed == [show(services_on_each, each) for each in made]
    assert [len(each["executions"]) for each in listed] == [10, 10, 10, 0, 0, 0]
    assert listed[0]["executions"][0]["executionTime"] == "2026-06-01T14:00:30+00:00"
    assert queries[0] == queries[1]


def test_a_project_has_a_limited_number_of_schedules(services: ServicesOnly, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operations, "MAX_SCHEDULES", 2)
    made = [activate(services) for _ in range(2)]
    refused = post(services, definition())

    assert (refused.status, refused.json["error"]) == (
        400,
        "The project has 2 schedules. Delete some that are not needed any more.",
    )
    body = {"configurationId": made[0]["configurationId"]}
    assert services.service("scheduler").post("/schedules", body).status == 200, "it is not another one"


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ({}, "The field `schedule` is missing."),
        ({"schedule": {}, "target": {}}, "`schedule`: The field `cronTab` is missing."),
        ({**definition(), "target": []}, "`target`: This must be an object, and not a list."),
        ({**definition(), "target": {"mode": "run"}}, "`target`: The field `componentId` is missing."),
        (definition(state="on"), "`schedule.state`: 'on' is not a valid value here."),
        (definition(mode="walk"), "`target.mode`: 'walk' is not a valid value here."),
        (definition("0 25 * * *"), 'The field hour is "25", and "25" is out of range. Allowed: 0-23;'),
        (definition("hourly"), '"hourly" has 1 fields, and a cron expression has five'),
        (definition(zone="Mars/Base"), '"Mars/Base" is not a time zone.'),
        (definition("0 0 30 2 *"), '"0 0 30 2 *" matches no day of the calendar'),
    ],
)
def test_a_wrong_configuration_is_refused_with_the_field(shared: ServicesOnly, content: Any, problem: str) -> None:
    refused = post(shared, content)

    assert (refused.status, refused.json["code"]) == (400, 400)
    assert problem in refused.json["error"]
    assert {"status", "exceptionId", "context"} <= refused.json.keys()


def test_what_is_not_there_is_not_found(shared: ServicesOnly) -> None:
    scheduler = shared.service("scheduler")

    assert scheduler.post("/schedules", {"configurationId": "nowhere"}).status == 404
    assert scheduler.get("/schedules/nope").json["error"] == 'Schedule "nope" not found.'
    assert scheduler.delete("/schedules/999999").status == 404
    assert scheduler.post("/schedules/999999/refreshToken").status == 404
    assert scheduler.get("/schedules?componentId=x").status == 400


def test_only_the_master_token_activates(shared: ServicesOnly) -> None:
    config = configure(shared, definition())
    body = {"description": "manager", "canManageBuckets": True, "canCreateJobs": True}
    limited = shared.service("storage").post("/v2/storage/tokens", body).json["token"]

    assert shared.service("scheduler", limited).post("/schedules", {"configurationId": config}).status == 403
    assert shared.service("scheduler").post("/schedules", {"configurationId": config}).status == 200
    assert shared.service("scheduler", limited).delete(f"/configurations/{config}").status == 204


def test_a_token_for_a_component_sees_the_schedules_that_run_it(shared: ServicesOnly) -> None:
    mine, other = activate(shared), activate(shared, componentId="keboola.flow")
    body = {"description": "guest", "componentAccess": ["ex-generic-v2"]}
    guest = shared.service("scheduler", shared.service("storage").post("/v2/storage/tokens", body).json["token"])
    seen = [each["id"] for each in guest.get("/schedules").json]

    assert mine["id"] in seen
    assert other["id"] not in seen
    assert guest.get(f"/schedules/{mine['id']}").status == 200
    assert guest.get(f"/schedules/{other['id']}").status == 404


def count_queries(services: ServicesOnly, path: str) -> int:
    """Of tables of the scheduler."""
    statements = list[str]()

    def listen(*given: Any) -> None:
        statements.append(given[2])

    engine = services.stack.database.engine
    event.listen(engine, "before_cursor_execute", listen)
    assert services.service("scheduler").get(path).status == 200
    event.remove(engine, "before_cursor_execute", listen)
    return sum("scheduler_" in each for each in statements)
