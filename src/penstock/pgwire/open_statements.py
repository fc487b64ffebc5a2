"""What one client has prepared and opened, within limits of their number and of their memory."""

from __future__ import annotations

import sys

from penstock.pgwire.cursors import Cursor, Cursors
from penstock.pgwire.errors import LIMIT, NO_PORTAL, NO_STATEMENT, ClientError
from penstock.pgwire.execution import Execution
from penstock.pgwire.responses import Field
from penstock.pgwire.results import Result
from penstock.pgwire.statements import Statement

MAX_OPEN = 1_000
"""Prepared statements, and portals, of one client."""
MAX_BYTES = 32 * 1024 * 1024
"""What they take in memory, together."""
_FIELD_BYTES, _NUMBER_BYTES = 300, 40


class Prepared:
    def __init__(self, name: str, statement: Statement | None, types: list[int]) -> None:
        self.name, self.statement, self.types = name, statement, types
        """None if the text holds no statement."""
        self.fields: list[Field] | None = None
        self.is_described = False

    @property
    def size(self) -> int:
        text = self.statement.size if self.statement else 0
        return sys.getsizeof(self.name) + text + _NUMBER_BYTES * len(self.types) + _size_of(self.fields)


class Portal:
    def __init__(self, name: str, prepared: Prepared, sql: str, formats: list[int], result_id: str) -> None:
        self.name, self.prepared, self.sql, self.formats, self.result_id = name, prepared, sql, formats, result_id
        self.result: Result | None = None

    @property
    def size(self) -> int:
        """Return the size without its statement."""
        own = sys.getsizeof(self.name) + sys.getsizeof(self.sql) + _NUMBER_BYTES * len(self.formats)
        return own + (_size_of(self.result.fields) if self.result else 0)


class OpenStatements:
    def __init__(self, execution: Execution) -> None:
        self._execution = execution
        self._prepared, self._portals = dict[str, Prepared](), dict[str, Portal]()
        self.cursors = Cursors(execution)

    def prepare(self, name: str, statement: Statement | None, types: list[int]) -> None:
        """The one without a name replaces the last one."""
        if name and name in self._prepared:
            raise ClientError("42P05", f'The prepared statement "{name}" exists already.')
        if len(self._prepared) >= MAX_OPEN:
            raise ClientError(LIMIT, f"A connection has at most {MAX_OPEN} prepared statements. Close some.")
        self._prepared.pop(name, None)
        prepared = Prepared(name, statement, types)
        self._check_memory(prepared.size)
        self._prepared[name] = prepared

    def require_new_portal(self, name: str) -> None:
        if name and name in self._portals:
            raise ClientError("42P03", f'The portal "{name}" exists already.')
        if len(self._portals) >= MAX_OPEN:
            raise ClientError(LIMIT, f"A connection has at most {MAX_OPEN} portals. Close some.")

    def open_portal(self, name: str, prepared: Prepared, sql: str, formats: list[int]) -> None:
        """The one without a name replaces the last one."""
        self.close_portal(name)
        portal = Portal(name, prepared, sql, formats, self._execution.new_result_id())
        self._portals[name] = portal
        try:
            self._check_memory()
        except ClientError:
            self.close_portal(name)
            raise

    def describe(self, prepared: Prepared, fields: list[Field] | None) -> None:
        """Keep its columns."""
        self._check_memory(_size_of(fields))
        prepared.fields, prepared.is_described = fields, True

    def execute(self, portal: Portal, result: Result) -> None:
        """Keep its result."""
        self._check_memory(_size_of(result.fields))
        portal.result = result

    def get_prepared(self, name: str) -> Prepared:
        if name not in self._prepared:
            raise ClientError(NO_STATEMENT, f'There is no prepared statement "{name}".')
        return self._prepared[name]

    def find_cursor(self, name: str) -> Cursor | None:
        """A cursor is a portal, too; one that is no portal by itself."""
        return None if name in self._portals else self.cursors.find(name)

    def get_portal(self, name: str) -> Portal:
        if name not in self._portals:
            raise ClientError(NO_PORTAL, f'There is no portal "{name}".')
        return self._portals[name]

    def close_prepared(self, name: str) -> None:
        self._prepared.pop(name, None)

    def close_all_prepared(self) -> None:
        """Close all statements that have a name."""
        self._prepared = {name: each for name, each in self._prepared.items() if not name}

    def close_portal(self, name: str) -> None:
        if portal := self._portals.pop(name, None):
            self._execution.free_result_id(portal.result_id)

    def close_all_portals(self) -> None:
        for name in list(self._portals):
            self.close_portal(name)

    def _check_memory(self, added: int = 0) -> None:
        """Statements of portals count too: they may have been closed before."""
        prepared = {*self._prepared.values(), *(each.prepared for each in self._portals.values())}
        kept = sum(each.size for each in [*prepared, *self._portals.values()])
        if kept + added > MAX_BYTES:
            raise ClientError(LIMIT, "The prepared statements and portals of the connection are too large. Close some.")


def _size_of(fields: list[Field] | None) -> int:
    return _FIELD_BYTES * len(fields or ())
