"""Schedules for tests: a clock that is set, configurations, and what was fired."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

from penstock.foundation import clock
from penstock.services.scheduler.worker import Worker
from tests.support.http import Response
from tests.support.stacks import ServicesOnly

TARGET = {"componentId": "ex-generic-v2", "configurationId": "sample-customers", "mode": "run"}
NOON = datetime(2026, 6, 1, 12, 0, 30, tzinfo=UTC)


class Clock:
    """Stands still until it is moved."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def move(self, **by: float) -> None:
        self.now += timedelta(**by)


@contextmanager
def clock_at(now: datetime) -> Generator[Clock]:
    before, moved = clock.source, Clock(now)
    clock.source = lambda: moved.now
    try:
        yield moved
    finally:
        clock.source = before


def definition(cron: str = "0 * * * *", zone: str = "UTC", state: str = "enabled", **target: Any) -> dict[str, Any]:
    return {"schedule": {"cronTab": cron, "timezone": zone, "state": state}, "target": {**TARGET, **target}}


def configure(services: ServicesOnly, content: Any, token: str | None = None) -> str:
    """The id of a new configuration of keboola.scheduler."""
    body = {"name": "nightly", "configuration": content}
    made = services.service("storage", token).post("/v2/storage/components/keboola.scheduler/configs", body)
    assert made.status == 201, made.text
    return made.json["id"]


def post(services: ServicesOnly, content: Any, token: str | None = None, **fields: Any) -> Response:
    body = {"configurationId": configure(services, content, token), **fields}
    return services.service("scheduler", token).post("/schedules", body)


def activate(services: ServicesOnly, cron: str = "0 * * * *", zone: str = "UTC", **fields: Any) -> dict[str, Any]:
    made = post(services, definition(cron, zone, **fields))
    assert made.status == 200, made.text
    return made.json


def show(services: ServicesOnly, schedule: dict[str, Any]) -> dict[str, Any]:
    found = services.service("scheduler").get(f"/schedules/{schedule['id']}")
    assert found.status == 200, found.text
    return found.json


def fire(services: ServicesOnly) -> None:
    """What a worker does now."""
    Worker(services.stack).run_once()


def fired(services: ServicesOnly, schedule: dict[str, Any]) -> list[str]:
    """The times of its runs, oldest first, in UTC."""
    return [run["executionTime"] for run in reversed(show(services, schedule)["executions"])]


def count_jobs(services: ServicesOnly) -> int:
    return len(services.service("queue").get("/search/jobs?limit=500").json)


def events_of(services: ServicesOnly, schedule: dict[str, Any]) -> list[dict[str, Any]]:
    """Newest first."""
    found = services.service("storage").get("/v2/storage/events?component=keboola.scheduler&limit=100").json
    return [event for event in found if event["configurationId"] == schedule["configurationId"]]
