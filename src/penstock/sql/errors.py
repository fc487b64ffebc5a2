"""What can go wrong with a statement or with the engine process that runs it."""

from __future__ import annotations

import msgspec

from penstock.foundation.errors import Conflict, Invalid, NotFound, Unavailable


class Position(msgspec.Struct, frozen=True):
    """Where in a statement; both count from 1."""

    line: int
    column: int


class StatementFailed(Invalid):
    """The message is that of the database, or in the words of the statement's dialect."""

    code = "sql.statementFailed"

    def __init__(
        self, message: str, position: Position | None = None, *, error_code: str = "", sql_state: str = ""
    ) -> None:
        """`error_code` and `sql_state` are those of Snowflake, in whose dialect the statement is written."""
        super().__init__(message)
        self.position, self.error_code, self.sql_state = position, error_code, sql_state


class StatementCanceled(Conflict):
    code = "sql.statementCanceled"

    def __init__(self) -> None:
        super().__init__("The statement was canceled.")


class StatementTimedOut(Invalid):
    code = "sql.statementTimedOut"

    def __init__(self, seconds: float) -> None:
        super().__init__(
            f"The statement was stopped: it ran longer than {seconds:g} s. Read fewer rows, or ask for a longer "
            "timeout, up to the setting sql_statement_timeout of the stack."
        )
        self.seconds = seconds


class ResultGone(NotFound):
    code = "sql.resultGone"

    def __init__(self, statement_id: str) -> None:
        super().__init__(
            f"There is no result of statement {statement_id}. Results are kept for 24 hours; run the statement again."
        )
        self.subject = statement_id


class ResponseTooLarge(Invalid):
    code = "sql.responseTooLarge"

    def __init__(self) -> None:
        super().__init__("The rows are too large to be read at once. Read fewer, or export the result to a file.")


class SessionGone(Conflict):
    code = "sql.sessionGone"

    def __init__(self, session_id: str) -> None:
        super().__init__(
            f"Session {session_id} has ended, because its engine was idle or was restarted. Its temporary tables and "
            "variables are gone; what a transaction in it did not commit was rolled back. Begin again: the next "
            "statement starts the session anew."
        )
        self.subject = session_id


class TableExists(Invalid):
    code = "sql.tableExists"

    def __init__(self, name: str) -> None:
        super().__init__(
            f'The workspace already has a table "{name}". Replace it (overwrite), or add to it (incremental).'
        )
        self.subject = name


class TableMissing(NotFound):
    code = "sql.tableMissing"

    def __init__(self, name: str) -> None:
        super().__init__(f'The workspace has no table "{name}".')
        self.subject = name


class EngineStopped(Unavailable):
    """It may have done a part of the work; what was committed is kept."""

    code = "sql.engineStopped"

    def __init__(self, reason: str = "") -> None:
        because = f": {reason}" if reason else ""
        super().__init__(
            f"The SQL engine of the workspace was stopped while it ran the statement{because}. It starts again with "
            "the next statement; temporary tables and variables of its sessions are gone."
        )


class EngineUnavailable(Unavailable):
    code = "sql.engineUnavailable"

    def __init__(self, workspace_id: int, reason: str) -> None:
        super().__init__(f"The SQL engine of workspace {workspace_id} cannot be started: {reason}")
