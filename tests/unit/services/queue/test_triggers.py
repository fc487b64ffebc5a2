"""Triggers of Storage start their configurations when their tables have new rows."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from sqlalchemy import select, update

from penstock.foundation.database import Transaction
from penstock.foundation.jobs.claims import MAX_LOST_LEASES, LeaseLost
from penstock.services.queue.models.jobs import JobRow, Kind
from penstock.services.queue.store import trigger_runs
from penstock.services.queue.triggers.worker import LOST, TriggerWorker
from penstock.services.storage.store.triggers import triggers
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import add_project, first_project, load_table
from tests.unit.services.notification.deliveries import deliver_events, wait_until
from tests.unit.services.queue.flows.world import EXTRACTOR, World
from tests.unit.services.storage.loading import load as import_file
from tests.unit.services.storage.loading import storage, succeed

ORDERS, CUSTOMERS = "in.c-shop.orders", "in.c-shop.customers"
RUNNER = {"description": "runner", "canManageBuckets": True, "canCreateJobs": True}
CSV = '"id"\n"1"\n'


class BrokenWorker(TriggerWorker):
    def _check(self, tx: Transaction, run: trigger_runs.TriggerRun) -> None:
        raise KeyError(run.id)


@pytest.fixture
def world(services: ServicesOnly) -> World:
    world = World(services)
    load_table(services, ORDERS, CSV)
    world.configure("report", "other")
    return world


@pytest.fixture
def both(world: World) -> World:
    """With the second table too."""
    load_table(world.services, CUSTOMERS, CSV)
    return world


def add_trigger(world: World, config: str = "report", *tables: str, **fields: Any) -> dict[str, Any]:
    wanted = {
        "runWithTokenId": first_project(world.services).caller.token_id,
        "component": EXTRACTOR,
        "configurationId": config,
        "coolDownPeriodMinutes": 5,
        "tableIds": list(tables or (ORDERS,)),
        **fields,
    }
    response = world.storage.post("/v2/storage/triggers", wanted)
    assert response.status == 201, response.text
    return response.json


def load(world: World, table: str = ORDERS, job: JobRow | None = None) -> None:
    """As a job, or as nobody's."""
    project = first_project(world.services)
    caller = msgspec.structs.replace(project.caller, run_id=str(job.id) if job else None)
    load_table(world.services, table, CSV, project._replace(caller=caller))


def check_all(world: World) -> None:
    deliver_events(world.stack)
    worker = TriggerWorker(world.stack, "w")
    while worker.run_one():
        pass


def list_jobs(world: World) -> list[dict[str, Any]]:
    return world.queue.get("/search/jobs?sortBy=id&sortOrder=asc").json


def list_configs(world: World) -> list[str]:
    check_all(world)
    return [job["config"] for job in list_jobs(world)]


def claim(world: World) -> JobRow:
    job = world.claim()
    assert job
    return job


def test_a_loaded_table_starts_the_configuration_with_the_token_of_the_trigger(world: World) -> None:
    token = world.storage.post("/v2/storage/tokens", RUNNER).json
    trigger = add_trigger(world, runWithTokenId=token["id"])
    load(world)
    check_all(world)

    [job] = list_jobs(world)
    assert (job["component"], job["config"], job["mode"]) == (EXTRACTOR, "report", "run")
    assert job["token"] == {"id": token["id"], "description": "runner"}
    assert world.storage.get(f"/v2/storage/triggers/{trigger['id']}").json["lastRun"]
    assert list_configs(world) == ["report"]


def test_an_import_by_a_client_starts_it_too(world: World) -> None:
    add_trigger(world)
    http = storage(world.services)
    succeed(http, import_file(http, ORDERS, CSV))

    assert list_configs(world) == ["report"]


def test_all_tables_must_be_loaded_since_the_last_run(both: World, monkeypatch: pytest.MonkeyPatch) -> None:
    add_trigger(both, "report", ORDERS, CUSTOMERS)
    load(both, ORDERS)
    assert list_configs(both) == []
    load(both, CUSTOMERS)
    assert list_configs(both) == ["report"]
    wait_until(monkeypatch, minutes=6)
    load(both, CUSTOMERS)
    assert list_configs(both) == ["report"]
    load(both, ORDERS)
    assert list_configs(both) == ["report", "report"]


def test_loads_in_the_cool_down_start_one_job_after_it(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    add_trigger(world)
    load(world)
    assert list_configs(world) == ["report"]
    for _ in range(3):
        load(world)
        assert list_configs(world) == ["report"]
    wait_until(monkeypatch, minutes=4)
    assert list_configs(world) == ["report"]
    wait_until(monkeypatch, minutes=2)
    assert list_configs(world) == ["report", "report"]
    wait_until(monkeypatch, minutes=20)
    assert list_configs(world) == ["report", "report"]


def test_a_shorter_cool_down_applies_to_what_waits(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    trigger = add_trigger(world, coolDownPeriodMinutes=1000)
    for _ in range(2):
        load(world)
        assert list_configs(world) == ["report"]
    wait_until(monkeypatch, minutes=6)
    assert world.storage.put(f"/v2/storage/triggers/{trigger['id']}", {"coolDownPeriodMinutes": 5}).status == 200

    assert list_configs(world) == ["report", "report"]


def test_a_load_has_what_waits_checked_again(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    add_trigger(world, coolDownPeriodMinutes=1000)
    for _ in range(2):
        load(world)
        check_all(world)
    with world.stack.database.writing() as tx:
        tx.change(update(triggers).values(cool_down_minutes=5))
    wait_until(monkeypatch, minutes=6)
    assert list_configs(world) == ["report"]
    load(world)

    assert list_configs(world) == ["report", "report"]


def test_a_clock_that_is_set_back_loses_no_load(both: World, monkeypatch: pytest.MonkeyPatch) -> None:
    add_trigger(both, "report", ORDERS, CUSTOMERS)
    load(both, ORDERS)
    wait_until(monkeypatch, minutes=-30)
    load(both, CUSTOMERS)
    assert list_configs(both) == ["report"]
    for table in (ORDERS, CUSTOMERS):
        wait_until(monkeypatch, minutes=-30)
        load(both, table)
        check_all(both)
    wait_until(monkeypatch, minutes=66)

    assert list_configs(both) == ["report", "report"]


def test_a_table_made_from_a_snapshot_is_loaded(both: World) -> None:
    http = storage(both.services)
    snapshot = succeed(http, http.post(f"/tables/{ORDERS}/snapshots", {}))["id"]
    add_trigger(both)
    succeed(http, http.delete(f"/tables/{ORDERS}?async=1"))
    load(both, CUSTOMERS)
    assert list_configs(both) == []
    succeed(http, http.post("/buckets/in.c-shop/tables-async", {"name": "orders", "snapshotId": snapshot}))

    assert list_configs(both) == ["report"]


def test_a_table_that_was_deleted_since_its_load_starts_nothing(both: World) -> None:
    add_trigger(both, "report", ORDERS, CUSTOMERS)
    load(both, ORDERS)
    http = storage(both.services)
    succeed(http, http.delete(f"/tables/{ORDERS}?async=1"))
    load(both, CUSTOMERS)

    assert list_configs(both) == []


def test_an_unexpected_error_is_recorded_and_not_tried_for_ever(world: World) -> None:
    add_trigger(world)
    load(world)
    deliver_events(world.stack)
    assert BrokenWorker(world.stack, "w").run_one()

    [(status, error)] = list_checks(world)
    assert (status, "KeyError" in error) == ("error", True)
    messages = [event["message"] for event in world.storage.get("/v2/storage/events").json]
    assert any("KeyError" in message for message in messages)
    load(world)
    assert list_configs(world) == ["report"]


def test_a_check_whose_workers_die_ends(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    add_trigger(world)
    load(world)
    deliver_events(world.stack)
    for _ in range(MAX_LOST_LEASES):
        assert TriggerWorker(world.stack, "lost").claim()
        wait_until(monkeypatch, seconds=16)

    assert list_configs(world) == []
    assert list_checks(world) == [("error", LOST)]


def list_checks(world: World) -> list[tuple[str, str]]:
    with world.stack.database.reading() as tx:
        found = select(trigger_runs.trigger_runs.c.status, trigger_runs.trigger_runs.c.error)
        return [(row.status, row.error) for row in tx.connection.execute(found)]


def test_a_job_does_not_start_itself_by_what_it_writes(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    add_trigger(world)
    load(world)
    check_all(world)
    load(world, job=claim(world))
    wait_until(monkeypatch, minutes=6)

    assert list_configs(world) == ["report"]
    messages = [event["message"] for event in world.storage.get("/v2/storage/events").json]
    assert any("did not start its configuration" in message for message in messages)


def test_two_configurations_do_not_start_each_other_in_a_circle(both: World, monkeypatch: pytest.MonkeyPatch) -> None:
    add_trigger(both, "report", ORDERS)
    add_trigger(both, "other", CUSTOMERS)
    load(both, ORDERS)
    assert list_configs(both) == ["report"]
    load(both, CUSTOMERS, claim(both))
    assert list_configs(both) == ["report", "other"]
    load(both, ORDERS, claim(both))
    wait_until(monkeypatch, minutes=6)
    assert list_configs(both) == ["report", "other"]
    load(both, ORDERS)
    assert list_configs(both) == ["report", "other", "report"]


def test_a_job_of_another_configuration_starts_it(world: World) -> None:
    add_trigger(world)
    world.start(EXTRACTOR, "other", Kind.STANDARD)
    load(world, job=claim(world))

    assert list_configs(world) == ["other", "report"]


def test_a_revoked_token_or_a_deleted_configuration_is_an_event(world: World) -> None:
    token = world.storage.post("/v2/storage/tokens", RUNNER).json
    add_trigger(world, runWithTokenId=token["id"])
    add_trigger(world, "missing")
    assert world.storage.delete(f"/v2/storage/tokens/{token['id']}").status == 204
    load(world)

    assert list_configs(world) == []
    events = [event for event in world.storage.get("/v2/storage/events").json if event["type"] == "error"]
    assert len(events) == 2
    assert all("did not start its configuration" in event["message"] for event in events)


def test_a_deleted_trigger_starts_nothing(world: World) -> None:
    trigger = add_trigger(world)
    load(world)
    deliver_events(world.stack)
    assert world.storage.delete(f"/v2/storage/triggers/{trigger['id']}").status == 204

    assert list_configs(world) == []


def test_tables_that_nothing_watches_and_other_projects_start_nothing(both: World) -> None:
    add_trigger(both)
    load(both, CUSTOMERS)
    load_table(both.services, ORDERS, CSV, add_project(both.services))

    assert list_configs(both) == []


def test_an_alias_is_loaded_with_its_source(world: World) -> None:
    assert world.storage.post("/v2/storage/buckets", {"name": "view", "stage": "in"}).status == 201
    alias = {"sourceTable": ORDERS, "name": "orders"}
    response = world.storage.post("/v2/storage/buckets/in.c-view/table-aliases", alias)
    assert response.status == 201, response.text
    add_trigger(world, "report", "in.c-view.orders")
    load(world)

    assert list_configs(world) == ["report"]


def test_a_worker_that_is_lost_starts_no_second_job(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    add_trigger(world)
    load(world)
    deliver_events(world.stack)
    lost = TriggerWorker(world.stack, "lost").claim()
    assert lost
    assert list_configs(world) == []
    wait_until(monkeypatch, seconds=16)

    assert list_configs(world) == ["report"]
    with pytest.raises(LeaseLost):
        TriggerWorker(world.stack, "lost").perform(lost)
    assert list_configs(world) == ["report"]
    with pytest.raises(LeaseLost), world.stack.database.writing(lost.project_id) as tx:
        trigger_runs.finish(tx, lost)
