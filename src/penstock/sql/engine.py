"""A connection to the engine process of one workspace."""

from __future__ import annotations

import socket
from types import TracebackType
from typing import Self, TypeVar

import msgspec

from penstock.foundation.stack import Stack
from penstock.sql import errors
from penstock.sql.folders import WorkspaceFolder
from penstock.sql.messages import (
    Cancel,
    ConnectionLost,
    Done,
    Execute,
    Failed,
    ReadPage,
    Request,
    Response,
    TablesGiven,
    TablesNeeded,
    receive_response,
    send,
)
from penstock.sql.models import Limits, Outcome, Page, Statement, Workspace
from penstock.sql.starting import read_ended
from penstock.sql.tables import FindTables
from penstock.sql.views import make_views

T = TypeVar("T")
KILL_SECONDS = 1.5
"""How long after its limit a statement that does not end has its engine ended."""
_ENDED_SECONDS = 2.0


class Engine:
    """Not thread-safe, but cheap: each thread opens its own."""

    def __init__(self, stack: Stack, workspace: Workspace, folder: WorkspaceFolder, line: socket.socket) -> None:
        self._stack, self._workspace, self._folder, self._line = stack, workspace, folder, line
        self._limits = Limits.of(stack.settings)

    def execute(self, statement: Statement, tables: FindTables) -> Outcome:
        """Run one statement to its end. `tables` is called with the names in it that may be project tables."""
        limit = self._limits.statement_seconds
        seconds = min(statement.timeout_seconds or limit, limit)
        response = self._ask(Execute(statement=statement), seconds)
        while isinstance(response, TablesNeeded):
            views = make_views(self._stack, self._folder, tables(response.names))
            response = self._ask(TablesGiven(views=views), seconds)
        return self._result(response, Outcome)

    def cancel(self, statement_id: str) -> bool:
        """Whether the statement was running; it ends a moment later, with StatementCanceled."""
        return self._get(Cancel(statement_id=statement_id), bool)

    def page(self, statement_id: str, offset: int, limit: int) -> Page:
        """Rows of the statement's result as text; None is NULL."""
        return self._get(ReadPage(statement_id=statement_id, offset=offset, limit=limit), Page)

    def close(self) -> None:
        self._line.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _get(self, request: Request, kind: type[T]) -> T:
        return self._result(self._ask(request, self._limits.statement_seconds), kind)

    def _result(self, response: Response, kind: type[T]) -> T:
        if isinstance(response, Done):
            return msgspec.msgpack.decode(response.result, type=kind)
        assert isinstance(response, Failed)
        raise _to_error(response, self._stack)

    def _ask(self, request: Request, seconds: float) -> Response:
        try:
            self._line.settimeout(seconds + KILL_SECONDS)
            send(self._line, request)
            return receive_response(self._line)
        except TimeoutError as error:
            self._folder.stop.touch()
            raise errors.StatementTimedOut(seconds) from error
        except ConnectionLost as error:
            raise errors.EngineStopped(self._find_reason()) from error

    def _find_reason(self) -> str:
        """Why it ended, as soon as the one that started it has written that down."""
        return read_ended(self._folder, _ENDED_SECONDS).reason


def _to_error(failed: Failed, stack: Stack) -> Exception:
    message = stack.paths.hide(failed.message)
    if failed.kind == "StatementCanceled":
        return errors.StatementCanceled()
    if failed.kind == "StatementTimedOut":
        return errors.StatementTimedOut(failed.seconds)
    if failed.kind == "ResultGone":
        return errors.ResultGone(message)
    return errors.StatementFailed(message, failed.position)
