"""Firing: each slot once, whatever the clock does, and never in silence."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from threading import Thread

import pytest

from penstock.foundation.database import Database, DatabaseUnavailable
from penstock.services.queue import interface as queue
from penstock.services.scheduler import firing, store
from penstock.services.scheduler.cron import read_zone
from tests.support.stacks import ServicesOnly
from tests.unit.services.scheduler.cron.brute_force import changes, slots
from tests.unit.services.scheduler.cron.test_timetable import ZONES
from tests.unit.services.scheduler.schedules import (
    NOON,
    Clock,
    activate,
    clock_at,
    count_jobs,
    events_of,
    fire,
    fired,
    show,
)


def test_a_slot_creates_one_job_with_the_token_of_the_schedule(services_on_each: ServicesOnly) -> None:
    with clock_at(NOON) as clock:
        schedule = activate(services_on_each, mode="debug", tag="1.2.3")
        fire(services_on_each)
        assert fired(services_on_each, schedule) == []
        clock.move(hours=1)
        for _ in range(3):
            fire(services_on_each)
        after = show(services_on_each, schedule)

    [run] = after["executions"]
    job = services_on_each.service("queue").get(f"/jobs/{run['jobId']}").json
    assert run["executionTime"] == "2026-06-01T13:00:30+00:00"
    assert (job["component"], job["config"], job["mode"], job["tag"]) == (
        *("ex-generic-v2", "sample-customers", "debug", "1.2.3"),
    )
    assert (job["token"]["id"], job["token"]["description"]) == (schedule["tokenId"], "[_internal] Scheduler")
    assert after["nextRuns"][0] == "2026-06-01T14:00:00+00:00"
    assert count_jobs(services_on_each) == 1
    assert events_of(services_on_each, schedule) == []


def test_three_hours_of_downtime_are_made_up_for_by_one_run_and_said(services_on_each: ServicesOnly) -> None:
    with clock_at(NOON) as clock:
        schedule = activate(services_on_each, "* * * * *")
        clock.move(hours=3)
        fire(services_on_each)
        clock.move(minutes=1)
        fire(services_on_each)
        assert fired(services_on_each, schedule) == ["2026-06-01T15:00:30+00:00", "2026-06-01T15:01:30+00:00"]

    [event] = events_of(services_on_each, schedule)
    assert event["type"] == "warn"
    assert event["message"].startswith(
        f"179 runs of schedule {schedule['id']} were missed since 2026-06-01T12:01+00:00"
    )
    assert event["message"].endswith("that of 2026-06-01T15:00+00:00.")


def test_workers_side_by_side_fire_a_slot_once(services_on_each: ServicesOnly) -> None:
    with clock_at(NOON) as clock:
        schedules = [activate(services_on_each) for _ in range(5)]
        clock.move(hours=1)
        workers = [Thread(target=fire, args=(services_on_each,)) for _ in range(6)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()

        assert [len(fired(services_on_each, each)) for each in schedules] == [1] * 5
        assert count_jobs(services_on_each) == 5


@pytest.mark.parametrize("zone", ZONES)
def test_every_wall_clock_slot_creates_one_job_over_both_changes_of_daylight_saving(
    shared: ServicesOnly, zone: str
) -> None:
    for change in changes(read_zone(zone), 2026):
        start, end = change - timedelta(hours=2, minutes=5), change + timedelta(hours=3)
        with clock_at(start) as clock:
            schedule = activate(shared, "*/30 * * * *", zone)
            while clock.now < end:
                clock.move(minutes=10)
                fire(shared)
                fire(shared)
            with shared.stack.database.reading() as tx:
                ran = store.list_slots(tx, int(schedule["id"]), start)
        shared.service("scheduler").delete(f"/schedules/{schedule['id']}")

        assert sorted(ran) == slots("*/30 * * * *", read_zone(zone), start, clock.now)


def test_a_clock_that_is_set_back_repeats_no_slot_and_skips_none(shared: ServicesOnly) -> None:
    with clock_at(NOON) as clock:
        schedule = activate(shared, "*/10 * * * *")
        tick(shared, clock, 60)
        assert slots_of(shared, schedule) == minutes(10, 70)
        clock.move(minutes=-60)
        tick(shared, clock, 80)
        assert slots_of(shared, schedule) == minutes(10, 90), "those of the hour ran already"
        shared.service("scheduler").delete(f"/schedules/{schedule['id']}")


def test_a_clock_that_was_a_year_ahead_for_a_while_delays_nothing(shared: ServicesOnly) -> None:
    with clock_at(NOON) as clock:
        schedule = activate(shared, "*/10 * * * *")
        tick(shared, clock, 20)
        clock.move(days=365)
        fire(shared)
        fire(shared)
        clock.move(days=-365)
        tick(shared, clock, 20)
        ran = slots_of(shared, schedule)
        shared.service("scheduler").delete(f"/schedules/{schedule['id']}")

    assert ran[:4] == minutes(10, 50)
    assert [slot.year for slot in ran[4:]] == [2027], "one run made up for the year"


def test_a_job_that_cannot_be_created_is_shown_and_the_next_slot_is_tried(shared: ServicesOnly) -> None:
    with clock_at(NOON) as clock:
        schedule = activate(shared, configurationId="deleted")
        before = count_jobs(shared)
        clock.move(hours=1)
        fire(shared)
        failed = show(shared, schedule)
        assert failed["executions"] == []
        assert failed["lastError"] == {
            "executionTime": "2026-06-01T13:00:30+00:00",
            "message": failed["lastError"]["message"],
        }
        assert "There is no configuration deleted of ex-generic-v2" in failed["lastError"]["message"]
        assert failed["nextRuns"][0] == "2026-06-01T14:00:00+00:00"
        assert count_jobs(shared) == before

        body = {"name": "there again", "configurationId": "deleted", "configuration": {}}
        made = shared.service("storage").post("/v2/storage/components/ex-generic-v2/configs", body)
        assert made.status == 201, made.text
        clock.move(hours=1)
        fire(shared)
        assert len(show(shared, schedule)["executions"]) == 1
        assert show(shared, schedule)["lastError"] is None

    [event] = events_of(shared, schedule)
    assert event["type"] == "error"
    assert event["message"] == f"Schedule {schedule['id']} could not create its job: {failed['lastError']['message']}"


def test_a_revoked_token_is_said_and_refreshing_repairs_it(shared: ServicesOnly) -> None:
    with clock_at(NOON) as clock:
        schedule = activate(shared)
        assert shared.service("storage").delete(f"/v2/storage/tokens/{schedule['tokenId']}").status == 204
        clock.move(hours=1)
        fire(shared)
        assert show(shared, schedule)["lastError"]["message"] == (
            "The token of the schedule was deleted or has expired. "
            f"Create another: POST /schedules/{schedule['id']}/refreshToken"
        )
        assert shared.service("scheduler").post(f"/schedules/{schedule['id']}/refreshToken").status == 202
        clock.move(hours=1)
        fire(shared)
        assert len(show(shared, schedule)["executions"]) == 1


def test_a_defect_fails_one_slot_and_not_the_schedule(shared: ServicesOnly, monkeypatch: pytest.MonkeyPatch) -> None:
    with clock_at(NOON) as clock:
        schedule = activate(shared)
        clock.move(hours=1)
        with monkeypatch.context() as patch:
            patch.setattr(queue, "create_job", lambda *_: 1 / 0)
            fire(shared)
        assert show(shared, schedule)["lastError"]["message"].startswith("An internal error: ZeroDivisionError.")
        clock.move(hours=1)
        fire(shared)
        assert len(show(shared, schedule)["executions"]) == 1


def test_a_disabled_schedule_never_fires_and_an_enabled_one_begins_anew(shared: ServicesOnly) -> None:
    with clock_at(NOON) as clock:
        schedule = activate(shared, state="disabled")
        assert schedule["nextRuns"] == []
        clock.move(hours=5)
        fire(shared)
        path = f"/v2/storage/components/keboola.scheduler/configs/{schedule['configurationId']}"
        content = shared.service("storage").get(path).json["configuration"]
        content["schedule"]["state"] = "enabled"
        assert shared.service("storage").put(path, {"configuration": content}).status == 200
        body = {"configurationId": schedule["configurationId"]}
        enabled = shared.service("scheduler").post("/schedules", body).json
        fire(shared)
        assert enabled["nextRuns"][0] == "2026-06-01T18:00:00+00:00"
        assert fired(shared, schedule) == []


def test_activating_again_does_not_lose_a_slot_that_has_come(shared: ServicesOnly) -> None:
    with clock_at(NOON) as clock:
        schedule = activate(shared)
        clock.move(hours=1)
        shared.service("scheduler").post("/schedules", {"configurationId": schedule["configurationId"]})
        fire(shared)
        assert len(fired(shared, schedule)) == 1


def test_the_newest_ten_runs_are_shown_and_a_week_of_slots_is_kept(shared: ServicesOnly) -> None:
    with clock_at(NOON) as clock:
        schedule = activate(shared, "0 0 * * *")
        for _ in range(15):
            clock.move(days=1)
            fire(shared)
        runs = show(shared, schedule)["executions"]
        assert [run["executionTime"][:10] for run in runs] == [f"2026-06-{day:02}" for day in range(16, 6, -1)]
        assert len(slots_of(shared, schedule)) == 10
        shared.service("scheduler").delete(f"/schedules/{schedule['id']}")


def test_a_database_that_fails_costs_no_slot(shared: ServicesOnly, monkeypatch: pytest.MonkeyPatch) -> None:
    with clock_at(NOON) as clock:
        schedule = activate(shared)
        clock.move(hours=1)
        with monkeypatch.context() as patch:
            patch.setattr(Database, "writing", _unavailable)
            fire(shared)
        assert fired(shared, schedule) == []
        fire(shared)
        assert len(fired(shared, schedule)) == 1


def _unavailable(*_: object) -> object:
    raise DatabaseUnavailable("It is away.")


def tick(services: ServicesOnly, clock: Clock, count: int) -> None:
    """Minute by minute."""
    for _ in range(count):
        clock.move(minutes=1)
        firing.fire_due(services.stack)


def slots_of(services: ServicesOnly, schedule: dict[str, str]) -> list[datetime]:
    with services.stack.database.reading() as tx:
        return sorted(store.list_slots(tx, int(schedule["id"]), datetime(2026, 1, 1, tzinfo=UTC)))


def minutes(first: int, end: int) -> list[datetime]:
    """Every tenth after noon."""
    return [datetime(2026, 6, 1, 12, tzinfo=UTC) + timedelta(minutes=number) for number in range(first, end, 10)]
