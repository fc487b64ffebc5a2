"""Scheduler over HTTP."""

from __future__ import annotations

from penstock.foundation.callers import Right
from penstock.foundation.database import Transaction
from penstock.services.scheduler import operations, store
from penstock.services.scheduler.firing import KEPT_RUNS
from penstock.services.scheduler.models import NewSchedule, Schedule, ScheduleRow, SchedulesQuery
from penstock.services.scheduler.views import schedule_view
from penstock.web.health import description, description_of, health_check
from penstock.web.requests import Request, Text
from penstock.web.routing import Route, delete, get, post

ONE = "/schedules/{schedule_id}"


def routes() -> list[Route]:
    """What creates a token that may do everything needs the token of an administrator."""
    return [
        get("/schedules", list_schedules, needs=Right.TOKEN),
        post("/schedules", activate, needs=Right.MASTER, title="Create a schedule"),
        get(ONE, get_schedule, needs=Right.TOKEN),
        delete(ONE, delete_schedule, needs=Right.MANAGE_BUCKETS, status=204),
        post(
            f"{ONE}/refreshToken",
            refresh_token,
            needs=Right.MASTER,
            status=202,
            title="Replace the token of a schedule",
        ),
        delete(
            "/configurations/{configuration_id}",
            delete_of_configuration,
            needs=Right.MANAGE_BUCKETS,
            status=204,
            title="Delete the schedule of a configuration",
        ),
        health_check(description_of("scheduler")),
        description("scheduler"),
    ]


def list_schedules(request: Request, query: SchedulesQuery) -> list[Schedule]:
    """Schedules of the project; with `componentId` and `configurationId`, those that run this configuration."""
    with request.reading() as tx:
        return _views(tx, operations.list_schedules(tx, request.caller, query))


def activate(request: Request, body: NewSchedule) -> Schedule:
    """Make a schedule of a configuration of keboola.scheduler; the one that was made of it before is changed."""
    with request.writing() as tx:
        return _view(tx, operations.activate(tx, request.caller, body))


def get_schedule(request: Request, schedule_id: str) -> Schedule:
    with request.reading() as tx:
        return _view(tx, operations.get_schedule(tx, request.caller, schedule_id))


def delete_schedule(request: Request, schedule_id: str) -> None:
    """End a schedule; its configuration is kept."""
    with request.writing() as tx:
        operations.remove_schedule(tx, request.caller, schedule_id)


def refresh_token(request: Request, schedule_id: str) -> Text:
    """Replace the secret of the schedule's token, or the token if it was deleted; the response is empty."""
    with request.writing() as tx:
        operations.refresh_token(tx, request.caller, schedule_id)
    return Text("", "text/plain; charset=utf-8")


def delete_of_configuration(request: Request, configuration_id: str) -> None:
    """End the schedule that was made of a configuration of keboola.scheduler."""
    with request.writing() as tx:
        operations.remove_of_configuration(tx, request.caller, configuration_id)


def _view(tx: Transaction, row: ScheduleRow) -> Schedule:
    return _views(tx, [row])[0]


def _views(tx: Transaction, rows: list[ScheduleRow]) -> list[Schedule]:
    runs = store.list_runs(tx, [row.id for row in rows], KEPT_RUNS)
    return [schedule_view(row, runs[row.id]) for row in rows]
