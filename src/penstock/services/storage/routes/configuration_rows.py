"""Rows of configurations over HTTP."""

from __future__ import annotations

from penstock.foundation.callers import Right
from penstock.services.storage.models.configuration_rows import ChangedRow, NewRow, Row, StoredRow, row_view
from penstock.services.storage.models.configurations import NewState
from penstock.services.storage.models.versions import ChangeText
from penstock.services.storage.operations.configurations import rows
from penstock.services.storage.operations.configurations.components import key_of
from penstock.services.storage.operations.configurations.documents import check_sizes
from penstock.services.storage.routes.configurations import CONFIG, read_version
from penstock.web.requests import Request
from penstock.web.routing import Route, delete, get, post, put

ROWS = f"{CONFIG}/rows"
ROW = f"{ROWS}/{{row_id}}"
WHOLE = frozenset(("configuration", "state"))


def routes() -> list[Route]:
    return [
        get(ROWS, list_rows, needs=Right.TOKEN, title="List rows of a configuration"),
        post(ROWS, create_row, needs=Right.TOKEN, status=201, title="Create a row of a configuration"),
        get(ROW, get_row, needs=Right.TOKEN, title="Get a row of a configuration"),
        put(ROW, update_row, needs=Right.TOKEN, title="Update a row of a configuration"),
        delete(ROW, remove_row, needs=Right.TOKEN, status=204, title="Delete a row of a configuration"),
        put(f"{ROW}/state", set_row_state, needs=Right.TOKEN, title="Set the state of a row"),
    ]


def list_rows(request: Request, component_id: str, config_id: str) -> list[Row]:
    """List rows in the order of the configuration's `rowsSortOrder`, or by id."""
    with request.reading() as tx:
        key = key_of(tx, request.caller, component_id, config_id)
        return [whole_view(row) for row in rows.list_rows(tx, key)]


def create_row(request: Request, component_id: str, config_id: str, body: NewRow) -> Row:
    """Add a row, which also creates a new version of the configuration."""
    check_sizes(body)
    with request.writing() as tx:
        key = key_of(tx, request.caller, component_id, config_id)
        return whole_view(rows.create_row(tx, request.caller, request.stack.cipher, key, body))


def get_row(request: Request, component_id: str, config_id: str, row_id: str) -> Row:
    with request.reading() as tx:
        key = key_of(tx, request.caller, component_id, config_id)
        return whole_view(rows.get_row(tx, key, row_id))


def update_row(request: Request, component_id: str, config_id: str, row_id: str, body: ChangedRow) -> Row:
    """Update the given fields; a change creates new versions of the row and of the configuration. With the header
    `If-Match` and a version of the row only if that is the current one."""
    version = read_version(request.if_match)
    check_sizes(body)
    with request.writing() as tx:
        key = key_of(tx, request.caller, component_id, config_id)
        return whole_view(rows.update_row(tx, request.caller, request.stack.cipher, key, row_id, body, version))


def remove_row(
    request: Request, component_id: str, config_id: str, row_id: str, query: ChangeText, body: ChangeText
) -> None:
    text = body.change_description or query.change_description
    with request.writing() as tx:
        key = key_of(tx, request.caller, component_id, config_id)
        rows.remove_row(tx, request.caller, key, row_id, text)


def set_row_state(request: Request, component_id: str, config_id: str, row_id: str, body: NewState) -> Row:
    """Set what the component reads in its next run; this creates no version."""
    with request.writing() as tx:
        key = key_of(tx, request.caller, component_id, config_id)
        return whole_view(rows.set_row_state(tx, request.caller, request.stack.cipher, key, row_id, body.state))


def whole_view(row: StoredRow) -> Row:
    return row_view(row, WHOLE)
