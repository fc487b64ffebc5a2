"""Tables into the workspace of a session and out of it, as the mapping of its configuration says."""

from __future__ import annotations

from penstock.foundation.callers import Right
from penstock.foundation.stacks import STORAGE
from penstock.services.editor import loads
from penstock.services.editor.models import Session, SessionLoad, SessionUnload, session_view
from penstock.services.editor.routes.sessions import ONE, notify_workers
from penstock.web.requests import Request
from penstock.web.routing import Route, post


def routes() -> list[Route]:
    return [
        post(f"{ONE}/load", load_session, needs=Right.TOKEN, title="Load the input mapping of a session"),
        post(f"{ONE}/unload", unload_session, needs=Right.TOKEN, title="Write tables of a session into Storage"),
    ]


def load_session(request: Request, session_id: str, body: SessionLoad) -> Session:
    """Start to load the input mapping into the workspace. The session is `loading` until that has ended."""
    with request.writing() as tx:
        row = loads.start_load(tx, request.caller, session_id, body)
    notify_workers(request)
    return session_view(row)


def unload_session(request: Request, session_id: str, body: SessionUnload) -> Session:
    """Start to write tables of the workspace into Storage. The session is `unloading` until that has ended."""
    url = request.addresses.url_of(STORAGE)
    with request.writing() as tx:
        row = loads.start_unload(tx, request.stack, request.caller, session_id, body, url)
    notify_workers(request)
    return session_view(row)
