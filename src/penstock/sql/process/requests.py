"""What each request does."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from typing import Any

import msgspec

from penstock.sql.messages import (
    Cancel,
    CheckVariables,
    ConnectionLost,
    Done,
    EndSession,
    Execute,
    Request,
    Stop,
    TablesGiven,
    TablesNeeded,
    TableView,
    receive_request,
    send,
)
from penstock.sql.models import Names
from penstock.sql.process.failures import to_message
from penstock.sql.process.local_engine import LocalEngine


class Handler:
    """Of one connection."""

    def __init__(self, line: socket.socket, engine: LocalEngine) -> None:
        self._line, self._engine = line, engine

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
                return self._engine.execute(request.statement, self._find_views)
            case Cancel():
                return self._engine.cancel(request.statement_id)
            case EndSession():
                return self._engine.end_session(request.session_id)
            case CheckVariables():
                return self._engine.check_variables(request)
            case TablesGiven() | Stop():
                raise ConnectionLost
            case _:
                return self._engine.perform(request)

    def _find_views(self, names: Names) -> Sequence[TableView]:
        """Ask the other side, which knows the project tables."""
        send(self._line, TablesNeeded(names=names))
        given = receive_request(self._line)
        if not isinstance(given, TablesGiven):
            raise ConnectionLost
        return given.views
