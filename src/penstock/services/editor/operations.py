"""Editor's operations on sessions: create, find, advance and delete them.

A session's status follows what happens to its workspace: whoever reads a session sees it advanced to what is true now.
"""

from __future__ import annotations

import msgspec

from penstock.foundation import clock, ids
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.errors import RoleNotEnough
from penstock.services.editor import store
from penstock.services.editor.errors import (
    ComponentAndConfiguration,
    NoConfiguration,
    NoError,
    SessionBusy,
    SessionNotFound,
)
from penstock.services.editor.models import NewSession, SessionRow, SessionsQuery, Status
from penstock.services.storage import interface as storage

MOVING = (Status.LOADING, Status.UNLOADING)


def in_branch(caller: Caller, branch_id: int) -> Caller:
    return msgspec.structs.replace(caller, branch_id=branch_id)


def create_session(tx: Transaction, caller: Caller, new_session: NewSession) -> SessionRow:
    """A session with a new workspace, into which the input mapping is loaded if requested."""
    if (new_session.component_id is None) != (new_session.configuration_id is None):
        raise ComponentAndConfiguration
    if new_session.load_mode == "input" and new_session.component_id is None:
        raise NoConfiguration
    caller = in_branch(caller, storage.get_branch_id(tx, caller, new_session.branch_id))
    workspace = storage.create_workspace(
        tx,
        caller,
        component_id=new_session.component_id,
        config_id=new_session.configuration_id,
        login_type=new_session.login_type or "",
    )
    is_loaded = new_session.load_mode == "input"
    jobs = storage.load_workspace(tx, caller, workspace.id, is_preserved=False) if is_loaded else []
    now = clock.now()
    row = SessionRow(
        id=ids.new_uuid(),
        project_id=caller.project_id,
        branch_id=caller.branch_id,
        token_id=caller.token_id,
        component_id=new_session.component_id,
        configuration_id=new_session.configuration_id,
        workspace_id=workspace.id,
        workspace_schema=workspace.schema,
        workspace_database=workspace.database,
        login_type=new_session.login_type,
        status=Status.INITIALIZING,
        job_ids=jobs,
        created=now,
        updated=now,
    )
    store.add_session(tx, row)
    return row


def get_session(tx: Transaction, caller: Caller, session_id: str) -> SessionRow:
    """A session of the caller, or of anybody if the caller may read everything. One whose workspace was deleted is
    gone."""
    found = store.find_session(tx, caller.project_id, session_id)
    if not found or not _may_use(caller, found) or not storage.has_workspace(tx, found.project_id, found.workspace_id):
        raise SessionNotFound(session_id)
    return found


def check_may_run(caller: Caller, row: SessionRow) -> None:
    """A statement that only reads may still set variables, which the next statement of the session uses."""
    if caller.only_reads and row.token_id != caller.token_id:
        raise RoleNotEnough(caller.role, "may run statements only in sessions that it created")


def get_ready(tx: Transaction, caller: Caller, session_id: str) -> SessionRow:
    """Raises while the session is created, or its data is loaded or unloaded."""
    row = advance(tx, get_session(tx, caller, session_id))
    if is_behind(row):
        raise SessionBusy(row.status)
    return row


def list_sessions(tx: Transaction, caller: Caller, asked: SessionsQuery) -> list[SessionRow]:
    branch_id = storage.get_branch_id(tx, caller, asked.branch_id) if asked.branch_id else None
    token_id = None if asked.list_all and caller.sees_all_buckets else caller.token_id
    found = store.list_sessions(tx, caller.project_id, branch_id=branch_id, token_id=token_id)
    return [row for row in found if storage.has_workspace(tx, row.project_id, row.workspace_id)]


def is_behind(row: SessionRow) -> bool:
    """Whether its status may have to be advanced."""
    return row.status is Status.INITIALIZING or row.status in MOVING


def advance(tx: Transaction, row: SessionRow) -> SessionRow:
    """The session as it is now: its workspace exists, and jobs that moved data may have ended. A session whose first
    load failed is ready too, since its workspace can be used."""
    if not is_behind(row):
        return row
    ended = [storage.find_job_end(tx, row.project_id, job_id) for job_id in row.job_ids]
    if any(each is None for each in ended):
        return row
    problems = [each.error for each in ended if each and each.error]
    is_loaded = row.status is not Status.UNLOADING and row.job_ids and not problems
    loaded = {"last_loaded": clock.now()} if is_loaded else {}
    return _change(tx, row, status=Status.READY, job_ids=[], last_error="\n".join(problems) or None, **loaded)


def start_moving(tx: Transaction, row: SessionRow, status: Status, job_ids: list[int]) -> SessionRow:
    return _change(tx, row, status=status, job_ids=job_ids, last_error=None)


def acknowledge_error(tx: Transaction, caller: Caller, session_id: str) -> SessionRow:
    row = advance(tx, get_session(tx, caller, session_id))
    if not row.last_error:
        raise NoError
    return _change(tx, row, last_error=None)


def _change(tx: Transaction, row: SessionRow, **values: object) -> SessionRow:
    return store.change_session(tx, row, updated=clock.now(), **values)


def _may_use(caller: Caller, row: SessionRow) -> bool:
    return caller.sees_all_buckets or row.token_id == caller.token_id
