"""Scheduler's operations: activate, find, list and remove schedules, and renew their tokens."""

from __future__ import annotations

from datetime import datetime
from typing import Any, cast

import msgspec

from penstock.foundation import clock, ids
from penstock.foundation.callers import Caller
from penstock.foundation.constraints import explain_error
from penstock.foundation.database import Transaction
from penstock.foundation.errors import Invalid, Unauthorized
from penstock.services.scheduler import slots, store
from penstock.services.scheduler.cron import read_timetable
from penstock.services.scheduler.errors import (
    ComponentAndConfiguration,
    InvalidSchedule,
    NeverRuns,
    ScheduleNotFound,
    TooManySchedules,
)
from penstock.services.scheduler.models import (
    COMPONENT,
    MAX_SCHEDULES,
    Definition,
    NewSchedule,
    ScheduleRow,
    SchedulesQuery,
)
from penstock.services.storage import interface as storage

TOKEN_DESCRIPTION = "[_internal] Scheduler"  # noqa: S105


def activate(tx: Transaction, caller: Caller, new_schedule: NewSchedule) -> ScheduleRow:
    """Make a schedule of a configuration, or change the one that was made of it before."""
    caller = caller.in_main()
    version, definition = _read_configuration(tx, caller, new_schedule)
    known = store.find_of_configuration(tx, caller.project_id, new_schedule.configuration_id)
    if not known and store.count_schedules(tx, caller.project_id) >= MAX_SCHEDULES:
        raise TooManySchedules(MAX_SCHEDULES)
    timing, target, now = definition.schedule, definition.target, clock.now()
    row = ScheduleRow(
        id=known.id if known else ids.new_id(tx),
        project_id=caller.project_id,
        branch_id=caller.branch_id,
        configuration_id=new_schedule.configuration_id,
        configuration_version=version,
        cron_tab=timing.cron_tab,
        timezone=timing.timezone,
        is_enabled=timing.state == "enabled",
        target=target,
        target_component=target.component_id,
        target_configuration=target.configuration_id,
        token_id=_ensure_token(tx, caller, known),
        next_time=None,
        planned_time=now,
        created=known.created if known else now,
    )
    row = _plan(tx, row, known, now)
    store.put_schedule(tx, row)
    return row


def get_schedule(tx: Transaction, caller: Caller, schedule_id: str) -> ScheduleRow:
    number = ids.read_id(schedule_id)
    found = store.find_schedule(tx, caller.project_id, number) if number is not None else None
    if not found or not _may_see(caller, found):
        raise ScheduleNotFound(schedule_id)
    return found


def list_schedules(tx: Transaction, caller: Caller, query: SchedulesQuery) -> list[ScheduleRow]:
    if bool(query.component_id) != bool(query.configuration_id):
        raise ComponentAndConfiguration
    return [row for row in store.list_schedules(tx, caller.project_id, query) if _may_see(caller, row)]


def remove_schedule(tx: Transaction, caller: Caller, schedule_id: str) -> None:
    """The configuration is kept, and can be activated again."""
    remove(tx, get_schedule(tx, caller, schedule_id), caller)


def remove_of_configuration(tx: Transaction, caller: Caller, configuration_id: str) -> None:
    """A configuration without a schedule is not an error: clients repeat requests."""
    if row := store.find_of_configuration(tx, caller.project_id, configuration_id):
        remove(tx, row, caller)


def remove(tx: Transaction, row: ScheduleRow, caller: Caller) -> None:
    """Remove a schedule with its token."""
    storage.remove_run_token(tx, caller, row.token_id)
    store.remove_schedule(tx, row)


def refresh_token(tx: Transaction, caller: Caller, schedule_id: str) -> None:
    """Invalidate the secret of its token; a token that was deleted or has expired is replaced by another."""
    row = get_schedule(tx, caller, schedule_id)
    token_id = _ensure_token(tx, caller, row)
    if token_id == row.token_id:
        storage.refresh_token(tx, caller, token_id)
    else:
        store.set_token(tx, row, token_id)


def service_caller(row: ScheduleRow) -> Caller:
    """The scheduler, as events of a schedule name it."""
    return storage.service_caller(row.project_id, row.branch_id, row.token_id, TOKEN_DESCRIPTION)


def _read_configuration(tx: Transaction, caller: Caller, new_schedule: NewSchedule) -> tuple[int, Definition]:
    stored = storage.read_configuration(tx, caller, COMPONENT, new_schedule.configuration_id)
    version, document = str(new_schedule.configuration_version_id or stored.version), stored.document
    if version != str(stored.version):
        document = storage.read_configuration_version(tx, caller, COMPONENT, new_schedule.configuration_id, version)
    return int(version), read_definition(new_schedule.configuration_id, document)


def _plan(tx: Transaction, row: ScheduleRow, existing: ScheduleRow | None, now: datetime) -> ScheduleRow:
    """Return the schedule with its next slot. While the times stay the same, a slot that has come and not run yet is
    not lost."""
    if existing and _times(existing) == _times(row):
        return msgspec.structs.replace(row, next_time=existing.next_time, planned_time=existing.planned_time)
    slot = slots.find_next(tx, row, now)
    if slot is None:
        raise NeverRuns(row.cron_tab)
    return msgspec.structs.replace(row, next_time=slot) if row.is_enabled else row


def _times(row: ScheduleRow) -> tuple[str, str, bool]:
    return row.cron_tab, row.timezone, row.is_enabled


def _ensure_token(tx: Transaction, caller: Caller, existing: ScheduleRow | None) -> int:
    """The token of the schedule; a new one if that was deleted or has expired."""
    if existing:
        try:
            return storage.get_caller(tx, existing.project_id, existing.token_id).token_id
        except Unauthorized:
            storage.remove_run_token(tx, caller, existing.token_id)
    # Its secret is not kept: jobs are created with the identity of the token.
    return storage.create_run_token(tx, caller, TOKEN_DESCRIPTION, None).id


def _may_see(caller: Caller, row: ScheduleRow) -> bool:
    return caller.may_use_component(COMPONENT) or caller.may_use_component(row.target_component)


def read_definition(configuration_id: str, document: dict[str, Any]) -> Definition:
    """Raises InvalidSchedule, whose message names the field."""
    try:
        definition = msgspec.convert({name: _regular(part) for name, part in document.items()}, Definition)
    except (msgspec.ValidationError, RecursionError) as error:
        raise InvalidSchedule(configuration_id, explain_error(error)) from error
    try:
        read_timetable(definition.schedule.cron_tab, definition.schedule.timezone)
    except Invalid as error:
        raise InvalidSchedule(configuration_id, error.message) from error
    return definition


def _regular(value: Any) -> Any:
    """Clients write ids as numbers too, and null for what is not set."""
    if isinstance(value, dict):
        return {key: _regular(each) for key, each in cast(dict[str, Any], value).items() if each is not None}
    if isinstance(value, list):
        return [_regular(each) for each in cast(list[Any], value)]
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value
