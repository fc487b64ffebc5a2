"""Loads of project tables, or files, into a workspace.

A job records what it has done after each of them. If its worker dies, the next attempt goes on there. Each load has an
id, which the workspace keeps, so that none happens twice.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

import msgspec

from penstock.foundation import interruption
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.errors import AppError, Forbidden, NotFound
from penstock.foundation.lake import folded
from penstock.foundation.stack import Stack
from penstock.services.storage.errors.workspaces import (
    DuplicateDestination,
    DuplicateTable,
    FileLoad,
    InvalidLoad,
    NoInput,
    SourceDenied,
    SourceNotFound,
)
from penstock.services.storage.models.jobs import JobRow
from penstock.services.storage.models.workspace_loads import NAME_CHARACTERS, LoadInput, LoadRequest
from penstock.services.storage.models.workspaces import WorkspaceRow
from penstock.services.storage.operations import jobs
from penstock.services.storage.operations.branches import get_branch
from penstock.services.storage.operations.tables.tables import Located, get_table
from penstock.services.storage.operations.workspace_engines import open_engine
from penstock.services.storage.operations.workspace_rows import add_workspace_event, get_workspace
from penstock.services.storage.operations.workspaces.file_loads import check_files, load_files
from penstock.services.storage.operations.workspaces.load_tables import to_load
from penstock.services.storage.store import jobs as stored_jobs
from penstock.sql import Engine, StatementCanceled, TableExists

OPERATION = "workspaceLoad"
LOAD_TYPES = ("", "COPY", "CLONE", "VIEW", "AUTO")


def plan_load(
    tx: Transaction, caller: Caller, workspace_id: str, load_request: LoadRequest, *, is_clone: bool = False
) -> JobRow:
    """A job that loads the tables. Call check_load() before, in a transaction of its own."""
    row = get_workspace(tx, caller, workspace_id)
    shown = [_shown(each) for each in load_request.input]
    request = msgspec.to_builtins(load_request)
    params = {"workspaceId": row.id, "input": shown, "preserve": load_request.preserve}
    params |= {"_request": request, "_isClone": is_clone, "_done": -1}
    return jobs.create_job(tx, caller, jobs.NewJob(operation=OPERATION, params=params, lock_key=lock_key(row)))


def _shown(each: LoadInput) -> dict[str, Any]:
    source = {"source": each.source} if each.data_file_id is None else {"dataFileId": each.data_file_id}
    return {**source, "destination": each.destination}


def lock_key(row: WorkspaceRow) -> str:
    """Jobs that change a workspace run one after the other."""
    return f"workspace-{row.id}"


def run_load(stack: Stack, caller: Caller, job: JobRow) -> dict[str, Any]:
    """Run the job."""
    wanted = msgspec.convert(job.params["_request"], LoadRequest)
    with stack.database.reading() as tx:
        row = get_workspace(tx, caller, job.params["workspaceId"])
    what, results = "tables", dict[str, Any]()
    if row.is_of_files:
        what = "files"
        load_files(stack, caller, row, wanted, job.params["_done"], partial(_record, stack, job))
    else:
        results = {"rows": _load_tables(stack, caller, job, row, wanted)}
    with stack.database.writing(caller.project_id) as tx:
        message = f"Loaded {len(wanted.input)} {what} into workspace {row.schema}"
        add_workspace_event(tx, caller, "storage.workspaceLoaded", message, row)
    return {"workspaceId": row.id, what: len(wanted.input), **results}


def _load_tables(stack: Stack, caller: Caller, job: JobRow, row: WorkspaceRow, request: LoadRequest) -> int:
    """The number of rows."""
    loaded = 0
    with open_engine(stack, row) as engine:
        if job.params["_done"] < 0:
            _prepare(engine, request)
            _record(stack, job, 0)
        for number, each in enumerate(request.input):
            if number >= job.params["_done"]:
                loaded += _Load(stack, caller, job, row, f"{job.id}-{number}").run(engine, each)
                _record(stack, job, number + 1)
    return loaded


def _prepare(engine: Engine, request: LoadRequest) -> None:
    """Empty the workspace, or find out whether the tables can be added to what it has."""
    interruption.current().check()
    if not request.preserve:
        engine.drop(None)
        return
    present = {folded(each.name): each.name for each in engine.list_objects()}
    for each in request.input:
        if folded(each.destination) in present and not (each.overwrite or each.incremental):
            raise DuplicateTable(each.destination)


class _Load(NamedTuple):
    """Of one table."""

    stack: Stack
    caller: Caller
    job: JobRow
    workspace: WorkspaceRow
    id: str

    def run(self, engine: Engine, each: LoadInput) -> int:
        work = interruption.current()
        with self.stack.database.reading() as tx:
            located = get_source(tx, self.caller, each)
        load = to_load(located, each, is_clone=self.job.params["_isClone"])
        # What is there at the next attempt was loaded by the one before: the workspace was looked at before that.
        is_again = self.job.attempt > 1 and self.job.params["_done"] >= 0 and not each.incremental
        load = msgspec.structs.replace(load, id=self.id, overwrite=load.overwrite or is_again)
        try:
            with work.during(self._cancel):
                return engine.load(load)
        except TableExists as error:
            raise DuplicateTable(each.destination) from error
        except StatementCanceled:
            work.check()
            raise

    def _cancel(self) -> None:
        # With a connection of its own: the other is busy with the load.
        with suppress(AppError), open_engine(self.stack, self.workspace) as engine:
            engine.cancel(self.id)


def _record(stack: Stack, job: JobRow, done: int) -> None:
    with stack.database.writing(job.project_id) as tx:
        stored_jobs.change_claimed(tx, job, params={**job.params, "_done": done})


def get_source(tx: Transaction, caller: Caller, each: LoadInput) -> Located:
    """The table to load, in the caller's branch or the given one."""
    if each.source_branch_id is not None:
        caller = msgspec.structs.replace(caller, branch_id=get_branch(tx, caller, str(each.source_branch_id)).id)
    try:
        return get_table(tx, caller, each.source)
    except NotFound as error:
        raise SourceNotFound(each.source) from error
    except Forbidden as error:
        raise SourceDenied(each.source) from error


def check_load(tx: Transaction, caller: Caller, workspace_id: str, request: LoadRequest) -> None:
    """Raise what can be found without reading the tables. It takes some queries for each of them."""
    row = get_workspace(tx, caller, workspace_id)
    if not request.input:
        raise NoInput
    if row.is_of_files:
        check_files(tx, caller, row, request)
        return
    taken: set[str] = set()
    for each in request.input:
        _check_input(each)
        if folded(each.destination) in taken:
            raise DuplicateDestination(each.destination)
        taken.add(folded(each.destination))
        to_load(get_source(tx, caller, each), each, is_clone=False)


def _check_input(each: LoadInput) -> None:
    if each.data_file_id is not None:
        raise FileLoad
    if not each.source:
        raise InvalidLoad("A table of `input` has no `source`: give the id of a table, such as `in.c-main.orders`.")
    if not each.destination or len(each.destination) > NAME_CHARACTERS or "\0" in each.destination:
        raise InvalidLoad(
            f'The `destination` of "{each.source}" is the name of the table in the workspace, '
            f"of 1 to {NAME_CHARACTERS} characters."
        )
    if each.load_type.upper() not in LOAD_TYPES:
        known = ", ".join(word for word in LOAD_TYPES if word)
        raise InvalidLoad(f'`loadType` is "{each.load_type}"; use one of {known}.')
