"""Triggers: which configuration to run when tables have new rows, and with which token.

Storage stores them and publishes loads of tables that they watch. Queue, which is a higher service, starts their jobs.
"""

from __future__ import annotations

from datetime import datetime

import msgspec
from msgspec import UNSET

from penstock.components.catalogue import find_component
from penstock.foundation import clock, ids, limits
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.errors import Forbidden, NotFound
from penstock.foundation.events import publish
from penstock.services.storage.errors.tokens import NotYours
from penstock.services.storage.errors.triggers import InvalidTrigger, TooManyTriggers, TriggerNotFound
from penstock.services.storage.models.tables import TableRow
from penstock.services.storage.models.triggers import (
    NewTrigger,
    TableLoaded,
    TriggerChange,
    TriggerChanged,
    TriggerQuery,
    TriggerRow,
)
from penstock.services.storage.operations.tables.tables import find_resolved, get_table
from penstock.services.storage.operations.tokens import may_act_as
from penstock.services.storage.store import tables, tokens, triggers


def list_triggers(tx: Transaction, caller: Caller, query: TriggerQuery) -> list[TriggerRow]:
    """Triggers of components that the caller may use, since they reveal configurations and tables."""
    found = triggers.list_triggers(tx, caller.project_id, query)
    return [row for row in found if _may_use(caller, row.component)]


def get_trigger(tx: Transaction, caller: Caller, trigger_id: str) -> TriggerRow:
    number = ids.read_id(trigger_id)
    found = triggers.find_trigger(tx, caller.project_id, number) if number is not None else None
    if not found:
        raise TriggerNotFound(trigger_id)
    _check_component(caller, found.component)
    return found


def create_trigger(tx: Transaction, caller: Caller, new_trigger: NewTrigger) -> TriggerRow:
    if triggers.count_triggers(tx, caller.project_id) >= limits.TRIGGERS:
        raise TooManyTriggers(limits.TRIGGERS)
    row = TriggerRow(
        id=ids.new_id(tx),
        project_id=caller.project_id,
        run_with_token_id=new_trigger.run_with_token_id,
        component=new_trigger.component,
        configuration_id=str(new_trigger.configuration_id),
        cool_down_minutes=new_trigger.cool_down_period_minutes,
        table_ids=_listed(new_trigger.table_ids),
        creator_id=caller.token_id,
        creator_description=caller.description,
        created=clock.now(),
    )
    _check(tx, caller, row)
    triggers.add_trigger(tx, row)
    return row


def update_trigger(tx: Transaction, caller: Caller, trigger_id: str, change: TriggerChange) -> TriggerRow:
    """Update the given fields."""
    old = get_trigger(tx, caller, trigger_id)
    given: dict[str, object] = {
        "run_with_token_id": change.run_with_token_id,
        "component": change.component,
        "configuration_id": UNSET if change.configuration_id is UNSET else str(change.configuration_id),
        "cool_down_minutes": change.cool_down_period_minutes,
        "table_ids": UNSET if change.table_ids is UNSET else _listed(change.table_ids),
    }
    row = msgspec.structs.replace(old, **{name: value for name, value in given.items() if value is not UNSET})
    _check(tx, caller, row)
    triggers.change_trigger(tx, row)
    publish(tx, TriggerChanged(project_id=row.project_id, trigger_id=row.id))
    return row


def remove_trigger(tx: Transaction, caller: Caller, trigger_id: str) -> None:
    row = get_trigger(tx, caller, trigger_id)
    triggers.remove_trigger(tx, caller.project_id, row.id)


def publish_load(tx: Transaction, caller: Caller, row: TableRow) -> None:
    """Call in the transaction that records an import. Triggers watch tables of the default branch only; an alias is
    loaded when its source is.

    Which tables were loaded is recorded here, and not found by comparing times: clocks of machines differ, and are set
    back.
    """
    if caller.has_own_storage:
        return
    watching = triggers.list_triggers(tx, row.project_id, TriggerQuery())
    if not watching:
        return
    loaded = {row.id, *(each.id for each in tables.list_aliases(tx, row))}
    found = [each for each in watching if loaded & set(each.table_ids)]
    for each in found:
        _record_load(tx, each, loaded)
    if found:
        numbers = [each.id for each in found]
        publish(tx, TableLoaded(project_id=row.project_id, table_id=row.id, trigger_ids=numbers, run_id=caller.run_id))


def _record_load(tx: Transaction, row: TriggerRow, loaded: set[str]) -> None:
    known = {*row.loaded, *loaded}
    now = [table_id for table_id in row.table_ids if table_id in known]
    if now != row.loaded:
        triggers.set_loaded(tx, row, now)


def find_trigger(tx: Transaction, project_id: int, trigger_id: int) -> TriggerRow | None:
    """Find a trigger for services: its creator was checked when it was created."""
    return triggers.find_trigger(tx, project_id, trigger_id)


def record_run(tx: Transaction, project_id: int, trigger_id: int, time: datetime) -> None:
    triggers.set_last_run(tx, project_id, trigger_id, time)


def is_loaded(tx: Transaction, row: TriggerRow, branch_id: int) -> bool:
    """Whether all of its tables were loaded since its last run, or since it was created, and are still there."""
    if not set(row.table_ids) <= set(row.loaded):
        return False
    return all(find_resolved(tx, row.project_id, branch_id, table_id) for table_id in row.table_ids)


def _check(tx: Transaction, caller: Caller, row: TriggerRow) -> None:
    """The caller must be allowed to do what the trigger will do with its token."""
    _check_component(caller, row.component)
    token = tokens.find_token(tx, caller.project_id, row.run_with_token_id)
    if not token:
        raise InvalidTrigger(f'Token with id "{row.run_with_token_id}" was not found.')
    if not may_act_as(tx, caller, token):
        raise NotYours
    if not row.configuration_id:
        raise InvalidTrigger('"configurationId" must not be empty.')
    if not row.table_ids:
        raise InvalidTrigger('"tableIds" must name at least one table.')
    for table_id in row.table_ids:
        _check_table(tx, caller, table_id)


def _check_table(tx: Transaction, caller: Caller, table_id: str) -> None:
    try:
        get_table(tx, caller, table_id)
    except (NotFound, Forbidden) as error:
        raise InvalidTrigger(f'Table with id "{table_id}" was not found.') from error


def _check_component(caller: Caller, component_id: str) -> None:
    if not _may_use(caller, component_id):
        raise NotYours


def _may_use(caller: Caller, component_id: str) -> bool:
    """Components that are not installed are allowed."""
    known = find_component(component_id)
    return caller.may_use_component(known.id if known else component_id)


def _listed(table_ids: list[str] | str) -> list[str]:
    """Return ids without duplicates, in the same order."""
    return list(dict.fromkeys([table_ids] if isinstance(table_ids, str) else table_ids))
