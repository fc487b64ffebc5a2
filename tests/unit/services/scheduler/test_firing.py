"""Firing: each slot once, whatever the clock does, and never in silence."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from threading import Thread
from typing import Any

import msgspec
import pytest
from sqlalchemy import update

from penstock.foundation.database import Database, DatabaseUnavailable
from penstock.foundation.errors import Invalid
from penstock.services.queue import interface as queue
from penstock.services.scheduler import firing, store
from penstock.services.scheduler.cron import read_zone
from penstock.services.scheduler.worker import Worker
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import add_project
from tests.unit.services.scheduler.cron.brute_force import changes, slots
from tests.unit.services.scheduler.cron.test_timetable import ZONES
from tests.unit.services.scheduler.schedules import (
    NOON,
    Clock,
    activate,
    clock_at,
    count_jobs,
    definition,
    events_of,
    fire,
    fired,
    post,
    show,
)


def test_a_slot_creates_one_job_with_the_token_of_the_schedule(services_on_each: ServicesOnly) -> None:
    with clock_at(NOON) as clock:
        schedule = activate(services_on_each, mode="debug", tag="1.0.0")
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
        *("ex-generic-v2", "sample-customers", "debug", "1.0.0"),
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
    assert event["message"] == (
        f"179 runs of schedule {schedule['id']} were missed since 2026-06-01T12:01+00:00. "
        "One run makes up for them, that of 2026-06-01T15:00+00:00."
    )


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


def test_of_a_job_that_cannot_be_created_nothing_is_left(
    services_on_each: ServicesOnly, monkeypatch: pytest.MonkeyPatch
) -> None:
    create = queue.create_job

    def refuse(*given: Any) -> None:
        create(*given)
        raise Invalid("It is refused when half of it is written.")

    with clock_at(NOON) as clock:
        schedule = activate(services_on_each)
        clock.move(hours=1)
        monkeypatch.setattr(queue, "create_job", refuse)
        fire(services_on_each)

        assert show(services_on_each, schedule)["lastError"]["message"].startswith("It is refused")
        assert count_jobs(services_on_each) == 0


def test_a_project_that_is_busy_delays_only_its_own_schedules(
    services: ServicesOnly, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even if it has more of them than a batch, and all were due before."""
    other, notified = add_project(services, "other"), list[str]()
    monkeypatch.setattr(firing, "AT_ONCE", 2)
    with clock_at(NOON) as clock:
        busy = [activate(services, "1 * * * *") for _ in range(5)]
        theirs = post(services, definition("2 * * * *"), other.token).json
        clock.move(hours=1)
        tries = make_busy(monkeypatch, other.caller.project_id)
        Worker(msgspec.structs.replace(services.stack, notify_workers=notified.append)).run_once()

        assert len(slots_of(services, theirs)) == 1
        assert [slots_of(services, each) for each in busy] == [[]] * 5
        assert len(tries) == 1, "the lock is waited for once"
        assert set(notified) == {"queue"}
        monkeypatch.undo()
        fire(services)
        assert [len(slots_of(services, each)) for each in busy] == [1] * 5


def test_a_schedule_that_cannot_be_planned_is_tried_every_hour_and_starves_no_other(
    services_on_each: ServicesOnly, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(firing, "AT_ONCE", 2)
    with clock_at(NOON) as clock:
        broken = [activate(services_on_each, "1 * * * *") for _ in range(4)]
        healthy = activate(services_on_each, "2 * * * *")
        change(services_on_each, broken, timezone="Atlantis/Capital")
        clock.move(hours=1)
        fire(services_on_each)
        failed = [show(services_on_each, each) for each in broken]

        assert len(fired(services_on_each, healthy)) == 1
        assert [each["nextRuns"] for each in failed] == [["2026-06-01T14:00:30+00:00"]] * 4
        assert {each["lastError"]["message"][:36] for each in failed} == {'"Atlantis/Capital" is not a time zon'}
        assert [len(events_of(services_on_each, each)) for each in broken] == [1] * 4
        change(services_on_each, broken, timezone="UTC")
        clock.move(hours=1)
        fire(services_on_each)
        assert [len(fired(services_on_each, each)) for each in broken] == [1] * 4


def test_a_row_that_cannot_be_read_or_recorded_is_postponed_too(
    services: ServicesOnly, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(firing, "AT_ONCE", 1)
    with clock_at(NOON) as clock:
        broken, healthy = activate(services, "1 * * * *"), activate(services, "2 * * * *")
        change(services, [broken], target={"mode": 7})
        clock.move(hours=1)
        fire(services)

        assert len(slots_of(services, healthy)) == 1
        with services.stack.database.reading() as tx:
            assert store.find_next_time(tx) == clock.now + timedelta(minutes=1, seconds=30)


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


def make_busy(patch: pytest.MonkeyPatch, free_project: int) -> list[int]:
    """The database refuses to write for all projects but one; returns for which it was asked."""
    writing, refused = Database.writing, list[int]()

    def write(database: Database, project_id: int) -> object:
        if project_id == free_project:
            return writing(database, project_id)
        refused.append(project_id)
        raise DatabaseUnavailable("It is busy.")

    patch.setattr(Database, "writing", write)
    return refused


def change(services: ServicesOnly, schedules: list[dict[str, Any]], **fields: Any) -> None:
    """What is stored of them."""
    with services.stack.database.writing() as tx:
        mine = store.schedules.c.id.in_([int(each["id"]) for each in schedules])
        tx.change(update(store.schedules).where(mine).values(fields))


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
