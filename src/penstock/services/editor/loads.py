"""Tables of a session's configuration, loaded into its workspace and written back into Storage.

Jobs of Storage do it; the session is `loading` or `unloading` until they have ended.
"""

from __future__ import annotations

from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.stack import Stack
from penstock.services.editor import operations
from penstock.services.editor.errors import CleansEverything, NoConfiguration, NotInMapping
from penstock.services.editor.models import SessionLoad, SessionRow, SessionUnload, Status
from penstock.services.storage import interface as storage


def start_load(tx: Transaction, caller: Caller, session_id: str, options: SessionLoad) -> SessionRow:
    row = operations.get_ready(tx, caller, session_id)
    caller = operations.in_branch(caller, row.branch_id)
    jobs = _clean(tx, caller, row, options) if options.mode == "clean" else _load(tx, caller, row, options)
    return operations.start_moving(tx, row, Status.LOADING, jobs)


def start_unload(
    tx: Transaction, stack: Stack, caller: Caller, session_id: str, options: SessionUnload, storage_url: str
) -> SessionRow:
    row = operations.get_ready(tx, caller, session_id)
    if row.configuration_id is None:
        raise NoConfiguration
    caller, only = operations.in_branch(caller, row.branch_id), options.table_id or ""
    jobs = storage.unload_workspace(tx, stack, caller, row.workspace_id, storage_url, only=only)
    if only and not jobs:
        raise NotInMapping("output", only)
    return operations.start_moving(tx, row, Status.UNLOADING, jobs)


def _clean(tx: Transaction, caller: Caller, row: SessionRow, options: SessionLoad) -> list[int]:
    if options.table_id:
        raise CleansEverything
    return [storage.empty_workspace(tx, caller, row.workspace_id)]


def _load(tx: Transaction, caller: Caller, row: SessionRow, options: SessionLoad) -> list[int]:
    if row.configuration_id is None:
        raise NoConfiguration
    only = options.table_id or ""
    is_preserved = options.mode == "input-preserve" or bool(only)
    jobs = storage.load_workspace(tx, caller, row.workspace_id, is_preserved=is_preserved, only=only)
    if only and not jobs:
        raise NotInMapping("input", only)
    return jobs
