"""The engine as its connections use it: statements, and the work around them."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import uuid4

import duckdb

from penstock.sql.folders import RESULTS, remove_results
from penstock.sql.messages import (
    CheckVariables,
    DropObjects,
    Export,
    ListClones,
    ListObjects,
    LoadTable,
    ReadEncoded,
    ReadPage,
    Refused,
    Setup,
)
from penstock.sql.models import Outcome, Statement
from penstock.sql.process import exports, results
from penstock.sql.process.catalog import Catalog
from penstock.sql.process.execution import Executor, FindViews
from penstock.sql.process.objects import Objects
from penstock.sql.process.running import RunningStatements
from penstock.sql.process.sessions import Session, Sessions
from penstock.sql.process.variables import find_refused

Work = ReadPage | ReadEncoded | Export | LoadTable | ListObjects | ListClones | DropObjects


class LocalEngine:
    """Thread-safe."""

    def __init__(self, setup: Setup, database: duckdb.DuckDBPyConnection) -> None:
        self._setup = setup
        self._sessions, self._running = Sessions(setup, database, _remove_results), RunningStatements()
        self._catalog, self._objects = Catalog(setup), Objects(setup)
        self._executor = Executor(setup, self._sessions, self._running, self._catalog)

    def execute(self, statement: Statement, find_views: FindViews) -> Outcome:
        return self._executor.execute(statement, find_views)

    def cancel(self, statement_id: str) -> bool:
        return self._running.cancel(statement_id)

    def end_session(self, session_id: str) -> bool:
        return self._sessions.end(session_id)

    def check_variables(self, request: CheckVariables) -> list[Refused]:
        seconds = self._setup.limits.statement_seconds
        with self._sessions.use(request.session_id, seconds, is_expected=request.needs_session) as session:
            return find_refused(session.cursor, request.statements)

    def perform(self, work: Work) -> Any:
        """Work that is not a statement of a user has the same timeout; only a load can be canceled."""
        seconds = self._setup.limits.statement_seconds
        with (
            self._sessions.use("", seconds) as session,
            self._running.add(_id_of(work), session.cursor, seconds),
        ):
            return self._perform(session, work)

    def _perform(self, session: Session, work: Work) -> Any:
        cursor = session.cursor
        match work:
            case ReadPage():
                return results.read_page(cursor, work.statement_id, work.offset, work.limit)
            case ReadEncoded():
                return results.read_encoded(cursor, work)
            case Export():
                return exports.export(cursor, work, self._setup)
            case ListObjects():
                return self._objects.list(cursor)
            case ListClones():
                return self._objects.list_clone_folders(cursor)
            case LoadTable():
                self._catalog.add_views(session, work.views)
                try:
                    return self._objects.load(cursor, work)
                finally:
                    self._catalog.forget_own_views()
            case DropObjects():
                self._catalog.forget_own_views()
                return self._objects.drop(cursor, work.names)


def _remove_results(session_id: str) -> None:
    remove_results(Path(RESULTS), session_id)


def _id_of(work: Work) -> str:
    return (work.id if isinstance(work, LoadTable) else "") or uuid4().hex
