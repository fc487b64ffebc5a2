"""What each request does."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from typing import Any

import msgspec

from penstock.sql.messages import (
    Cancel,
    ConnectionLost,
    Done,
    Execute,
    ReadPage,
    Request,
    TablesGiven,
    TablesNeeded,
    TableView,
    receive_request,
    send,
)
from penstock.sql.models import Names
from penstock.sql.process import results
from penstock.sql.process.execution import Executor
from penstock.sql.process.failures import to_message
from penstock.sql.process.running import RunningStatements
from penstock.sql.process.sessions import Sessions


class Handler:
    """Of one connection."""

    def __init__(self, line: socket.socket, sessions: Sessions, running: RunningStatements, executor: Executor) -> None:
        self._line, self._sessions, self._running, self._executor = line, sessions, running, executor

    def handle(self, request: Request) -> None:
        try:
            result = self._perform(request)
        except ConnectionLost:
            raise
        except Exception as error:
            send(self._line, to_message(error))
        else:
            send(self._line, Done(result=msgspec.Raw(msgspec.msgpack.encode(result))))

    def _perform(self, request: Request) -> Any:
        match request:
            case Execute():
                return self._executor.execute(request.statement, self._find_views)
            case Cancel():
                return self._running.cancel(request.statement_id)
            case ReadPage():
                with self._sessions.cursor() as cursor:
                    return results.read_page(cursor, request.statement_id, request.offset, request.limit)
            case _:
                raise ConnectionLost

    def _find_views(self, names: Names) -> Sequence[TableView]:
        """Ask the other side, which knows the project tables."""
        send(self._line, TablesNeeded(names=names))
        given = receive_request(self._line)
        if not isinstance(given, TablesGiven):
            raise ConnectionLost
        return given.views
