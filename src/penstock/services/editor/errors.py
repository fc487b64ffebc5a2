"""Errors of Editor, and their form: `error` and `message` both have the message, since clients read either."""

from __future__ import annotations

from typing import Any

from penstock.foundation.errors import AppError, Conflict, Invalid, NotFound


class SessionNotFound(NotFound):
    def __init__(self, session_id: str) -> None:
        super().__init__(f'Session "{session_id}" not found.')


class ComponentAndConfiguration(Invalid):
    def __init__(self) -> None:
        super().__init__("Send both componentId and configurationId, or neither.")


class SessionBusy(Conflict):
    def __init__(self, status: str) -> None:
        super().__init__(f"The session is {status}. Wait until it is ready.")


class NoConfiguration(Invalid):
    def __init__(self) -> None:
        super().__init__(
            "The session has no configuration, so there is no mapping of tables. Create a session with componentId and "
            "configurationId, or copy tables with SQL."
        )


class NotInMapping(Invalid):
    def __init__(self, direction: str, name: str) -> None:
        field = "destination" if direction == "input" else "source"
        super().__init__(
            f'The {direction} mapping of the configuration has no table whose {field} is "{name}". '
            "tableId is the name of a table in the workspace; leave it out for all tables of the mapping."
        )


class CleansEverything(Invalid):
    def __init__(self) -> None:
        super().__init__(
            "The mode clean removes all tables of the workspace: leave tableId out. Remove one table with SQL."
        )


class NoError(Invalid):
    def __init__(self) -> None:
        super().__init__("The session has no error to acknowledge.")


class NoServiceAccount(Invalid):
    def __init__(self) -> None:
        super().__init__(
            "Credentials can be read only of BigQuery workspaces, and this stack has none. "
            "Make a new key pair: POST /sql/sessions/{id}/reset-credentials"
        )


class TableMissing(NotFound):
    def __init__(self, schema: str, name: str) -> None:
        super().__init__(f'There is no table "{schema}"."{name}" that this session may read.')


def with_message(error: AppError) -> dict[str, Any]:
    return {"error": error.message, "message": error.message, "code": error.status, "status": "error"}
