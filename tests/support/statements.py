"""The SQL statements that all databases of this process execute meanwhile. A test that counts them does not depend on
how fast the machine is."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, event


@contextmanager
def recorded_statements() -> Generator[list[str]]:
    found: list[str] = []
    with _listening("before_cursor_execute", lambda _connection, _cursor, statement, *_: found.append(statement)):
        yield found


@contextmanager
def recorded_transactions() -> Generator[list[list[str]]]:
    """The statements of each transaction that begins, in the order in which they begin."""
    found, current = list[list[str]](), dict[int, list[str]]()

    def begin(connection: Connection) -> None:
        current[id(connection)] = []
        found.append(current[id(connection)])

    def execute(connection: Connection, _cursor: Any, statement: str, *_: Any) -> None:
        current.get(id(connection), []).append(statement)

    with _listening("begin", begin), _listening("before_cursor_execute", execute):
        yield found


@contextmanager
def _listening(name: str, note: Callable[..., None]) -> Generator[None]:
    event.listen(Engine, name, note)
    try:
        yield
    finally:
        event.remove(Engine, name, note)
