"""A connection to the engine process of one workspace."""

from __future__ import annotations

import socket
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar
from uuid import uuid4

import msgspec

from penstock.foundation.stack import Stack
from penstock.sql import errors
from penstock.sql.clones import remove_unused_clones, unused_seconds
from penstock.sql.exports import take_file
from penstock.sql.folders import WorkspaceFolder, remove_results
from penstock.sql.loads import to_request
from penstock.sql.messages import (
    Cancel,
    CheckVariables,
    ConnectionLost,
    Done,
    DropObjects,
    EndSession,
    Execute,
    Export,
    Failed,
    ListClones,
    ListObjects,
    MessageTooLarge,
    ReadEncoded,
    ReadPage,
    Refused,
    Request,
    Response,
    TablesGiven,
    TablesNeeded,
    receive_response,
    send,
)
from penstock.sql.models import EncodedRows, FileFormat, Limits, Outcome, Page, Statement, Workspace, WorkspaceTable
from penstock.sql.starting import read_ended
from penstock.sql.tables import FindTables, TableLoad
from penstock.sql.views import make_views

T = TypeVar("T")
USED_SECONDS = 60.0
"""How often it is marked that the workspace is used."""
KILL_SECONDS = 1.5
"""How long after its limit a statement that does not end has its engine ended."""
_ENDED_SECONDS = 2.0
_NAMED = {
    each.__name__: each for each in (errors.ResultGone, errors.SessionGone, errors.TableExists, errors.TableMissing)
}


class Engine:
    """Not thread-safe, but cheap: each thread opens its own."""

    def __init__(self, stack: Stack, workspace: Workspace, folder: WorkspaceFolder, line: socket.socket) -> None:
        self._stack, self._workspace, self._folder, self._line = stack, workspace, folder, line
        self._limits = Limits.of(stack.settings)
        self._marked = -USED_SECONDS

    def execute(self, statement: Statement, tables: FindTables) -> Outcome:
        """Run one statement to its end. `tables` is called with the names in it that may be project tables."""
        self.mark_used()
        limit = self._limits.statement_seconds
        seconds = min(statement.timeout_seconds or limit, limit)
        begun = time.monotonic()
        try:
            response = self._ask(Execute(statement=statement), seconds)
            while isinstance(response, TablesNeeded):
                views = make_views(self._stack, self._folder, tables(response.names))
                response = self._ask(TablesGiven(views=views), seconds)
        except errors.EngineStopped as error:
            # It ends itself when a statement cannot be interrupted.
            if time.monotonic() - begun >= seconds:
                raise errors.StatementTimedOut(seconds) from error
            raise
        return self._result(response, Outcome)

    def mark_used(self) -> None:
        """A workspace that nobody uses for long may be removed. Only maintenance does not count."""
        now = time.monotonic()
        if now - self._marked >= USED_SECONDS:
            self._marked = now
            with suppress(OSError):  # the workspace is being removed
                self._folder.used.touch()

    def cancel(self, statement_id: str) -> bool:
        """Whether the statement, or the load with this id, was running. It ends a moment later, with
        StatementCanceled."""
        return self._get(Cancel(statement_id=statement_id), bool)

    @property
    def is_open(self) -> bool:
        """Whether the engine has not ended since its last response; it sends nothing in between."""
        try:
            self._line.setblocking(False)
            return bool(self._line.recv(1, socket.MSG_PEEK))
        except BlockingIOError:
            return True
        except OSError:
            return False

    def find_unknown_variable(
        self, session_id: str, statements: Sequence[str], *, needs_session: bool = False
    ) -> tuple[int, Exception] | None:
        """The first of these statements of Snowflake that reads a `$name` which neither the session nor a statement
        before it has set: its number from 0, and its error. Nothing runs."""
        refused = self._get(CheckVariables(session_id, list(statements), needs_session), list[Refused])
        return next(((each.number, _to_error(each.failure, self._stack)) for each in refused), None)

    def end_session(self, session_id: str) -> None:
        """Drop its temporary tables, roll back its transaction, and remove results whose ids begin with that of the
        session and a `-`. Sessions that are in no transaction also end when they are idle for long."""
        if self.is_open:
            self._get(EndSession(session_id=session_id), bool)
        else:  # it ended with its engine
            remove_results(self._folder.results, session_id)

    def page(self, statement_id: str, offset: int, limit: int) -> Page:
        """Rows of the statement's result as text; None is NULL. Raises ResponseTooLarge."""
        return self._get(ReadPage(statement_id=statement_id, offset=offset, limit=limit), Page)

    def encoded_rows(self, statement_id: str, offset: int, limit: int, formats: Sequence[bool]) -> EncodedRows:
        """The same as messages of the PostgreSQL protocol; a format is true for binary. Raises ResponseTooLarge."""
        return self._get(ReadEncoded(statement_id, offset, limit, list(formats)), EncodedRows)

    def export(self, statement_id: str, format: FileFormat, *, gzip: bool = False) -> Path:  # noqa: A002
        """Write the statement's result to a file, which is the caller's from then on."""
        return self._export(Export(file=_name(format, gzip), format=format, statement_id=statement_id, gzip=gzip))

    def export_table(
        self,
        name: str,
        format: FileFormat,  # noqa: A002
        *,
        gzip: bool = False,
        has_header: bool = True,
    ) -> Path:
        """Write an own table or view to a file, which is the caller's from then on."""
        file = _name(format, gzip)
        return self._export(Export(file=file, format=format, table=name, gzip=gzip, has_header=has_header))

    def load(self, load: TableLoad) -> int:
        """Load a project table into the workspace; returns how many rows were loaded."""
        self.mark_used()
        return self._get(to_request(self._stack, self._folder, load), int)

    def list_objects(self) -> list[WorkspaceTable]:
        """The tables and views of the workspace itself."""
        return self._get(ListObjects(), list[WorkspaceTable])

    def remove_unused_clones(self) -> None:
        """Remove links of clones that were dropped, or changed and thereby copied."""
        remove_unused_clones(self._folder, set(self._get(ListClones(), list[str])), unused_seconds(self._limits))

    def drop(self, names: Sequence[str] | None) -> None:
        """Drop tables and views of the workspace; None drops all. Unknown names are ignored."""
        self._get(DropObjects(names=None if names is None else list(names)), bool)

    def close(self) -> None:
        self._line.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _export(self, request: Export) -> Path:
        self._get(request, bool)
        return take_file(self._folder, request.file)

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
        except MessageTooLarge as error:
            raise errors.ResponseTooLarge from error
        except ConnectionLost as error:
            raise errors.EngineStopped(self._find_reason()) from error

    def _find_reason(self) -> str:
        """Why it ended, as soon as the one that started it has written that down."""
        return read_ended(self._folder, _ENDED_SECONDS).reason


def _name(kind: FileFormat, gzip: bool) -> str:
    return f"{uuid4().hex}.{kind}{'.gz' if gzip and kind == 'csv' else ''}"


def _to_error(failed: Failed, stack: Stack) -> Exception:
    message = stack.paths.hide(failed.message)
    if failed.kind == "StatementCanceled":
        return errors.StatementCanceled()
    if failed.kind == "StatementTimedOut":
        return errors.StatementTimedOut(failed.seconds)
    if failed.kind in _NAMED:
        return _NAMED[failed.kind](failed.subject)
    codes = {"error_code": failed.error_code, "sql_state": failed.sql_state}
    return errors.StatementFailed(message, failed.position, **codes)
