"""Sessions: created, read, listed and deleted."""

from __future__ import annotations

from functools import partial

from penstock.foundation.callers import Right
from penstock.foundation.jobs.waiting import Wait
from penstock.foundation.stacks import STORAGE
from penstock.services.editor import operations, store
from penstock.services.editor.models import NewSession, Session, SessionQuery, SessionRow, SessionsQuery, session_view
from penstock.services.storage import interface as storage
from penstock.web.requests import Request
from penstock.web.routing import Route, delete, get, post

EVERY = "/sql/sessions"
ONE = f"{EVERY}/{{session_id}}"


def routes() -> list[Route]:
    return [
        get(EVERY, list_sessions, needs=Right.TOKEN, title="List SQL sessions"),
        post(EVERY, create_session, needs=Right.TOKEN, status=201, is_for_readers=True, title="Create an SQL session"),
        get(ONE, get_session, needs=Right.TOKEN, title="Get an SQL session"),
        delete(ONE, delete_session, needs=Right.TOKEN, status=204, is_for_readers=True, title="Delete an SQL session"),
        post(
            f"{ONE}/acknowledge-last-error",
            acknowledge_error,
            needs=Right.TOKEN,
            title="Acknowledge the last error of a session",
        ),
    ]


def list_sessions(request: Request, query: SessionsQuery) -> list[Session]:
    """List the sessions of the token; with `listAll` those of the project, if the token may read everything."""
    with request.reading() as tx:
        rows = operations.list_sessions(tx, request.caller, query)
    return [session_view(row) for row in _advanced(request, rows)]


def create_session(request: Request, body: NewSession) -> Session:
    """A session with a new workspace. It is ready a moment later, or when its input mapping is loaded."""
    with request.writing() as tx:
        row = operations.create_session(tx, request.caller, body)
    if row.job_ids:
        notify_workers(request)
    return session_view(row)


def notify_workers(request: Request) -> None:
    """Have them claim new jobs of Storage, when the request is committed."""
    request.waits.append(Wait(is_over=lambda: True, seconds=0, begin=partial(request.stack.notify_workers, STORAGE)))


def get_session(request: Request, session_id: str, query: SessionQuery) -> Session:  # noqa: ARG001
    with request.reading() as tx:
        row = operations.get_session(tx, request.caller, session_id)
    return session_view(_advanced(request, [row])[0])


def delete_session(request: Request, session_id: str) -> None:
    """Delete the session and its workspace, with everything in it."""
    with request.writing() as tx:
        row = operations.get_session(tx, request.caller, session_id)
        store.remove_session(tx, row)
        workspace = storage.forget_workspace(tx, operations.in_branch(request.caller, row.branch_id), row.workspace_id)
    request.commit()
    storage.remove_workspace(request.stack, workspace)


def acknowledge_error(request: Request, session_id: str) -> Session:
    """Remove the last error."""
    with request.writing() as tx:
        return session_view(operations.acknowledge_error(tx, request.caller, session_id))


def _advanced(request: Request, rows: list[SessionRow]) -> list[SessionRow]:
    """Most sessions are as they were, and are not written."""
    if not any(operations.is_behind(row) for row in rows):
        return rows
    with request.writing() as tx:
        return [operations.advance(tx, row) for row in rows]
