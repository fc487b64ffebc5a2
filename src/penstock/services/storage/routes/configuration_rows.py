"""Rows of configurations over HTTP."""

from __future__ import annotations

from penstock.foundation.callers import Right
from penstock.services.storage.models.configuration_rows import ChangedRow, NewRow, Row, StoredRow, row_view
from penstock.services.storage.models.configurations import NewState
from penstock.services.storage.models.versions import ChangeText
from penstock.services.storage.operations.configurations import rows as rows
from penstock.services.storage.routes.configurations import CONFIG, find_key
from penstock.web.requests import Request
from penstock.web.routing import Route, delete, get, post, put

ROWS = f"{CONFIG}/rows"
ROW = f"{ROWS}/{{row_id}}"
WHOLE = frozenset(("configuration", "state"))


def routes() -> list[Route]:
    shown = {"returns": Row}
    why = {"body": ChangeText, "query": ChangeText}
    return [
        get(ROWS, list_rows, returns=list[Row], needs=Right.TOKEN),
        post(ROWS, create_row, body=NewRow, status=201, needs=Right.TOKEN, **shown),
        get(ROW, get_row, needs=Right.TOKEN, **shown),
        put(ROW, update_row, body=ChangedRow, needs=Right.TOKEN, **shown),
        delete(ROW, remove_row, status=204, needs=Right.TOKEN, **why),
        put(f"{ROW}/state", set_row_state, body=NewState, needs=Right.TOKEN, **shown),
    ]


def list_rows(request: Request) -> list[Row]:
    """In the order of the configuration's `rowsSortOrder`, or by their ids."""
    with request.reading() as tx:
        return [whole_view(row) for row in rows.list_rows(tx, find_key(tx, request))]


def create_row(request: Request) -> Row:
    """Add a row, which makes a new version of the configuration too."""
    with request.writing() as tx:
        row = rows.create_row(tx, request.caller, request.stack.cipher, find_key(tx, request), request.body)
    return whole_view(row)


def get_row(request: Request) -> Row:
    with request.reading() as tx:
        return whole_view(rows.get_row(tx, find_key(tx, request), request.path["row_id"]))


def update_row(request: Request) -> Row:
    """Change what is given; a change makes new versions of the row and of the configuration."""
    row_id = request.path["row_id"]
    with request.writing() as tx:
        key = find_key(tx, request)
        row = rows.update_row(tx, request.caller, request.stack.cipher, key, row_id, request.body)
    return whole_view(row)


def remove_row(request: Request) -> None:
    text = request.body.change_description or request.query.change_description
    with request.writing() as tx:
        rows.remove_row(tx, request.caller, find_key(tx, request), request.path["row_id"], text)


def set_row_state(request: Request) -> Row:
    """What the component is to know next time; this makes no new version."""
    row_id = request.path["row_id"]
    with request.writing() as tx:
        key = find_key(tx, request)
        return whole_view(rows.set_row_state(tx, request.stack.cipher, key, row_id, request.body.state))


def whole_view(row: StoredRow) -> Row:
    return row_view(row, WHOLE)
