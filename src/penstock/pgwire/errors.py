"""Errors as clients of PostgreSQL know them, by their SQLSTATE."""

from __future__ import annotations

import re

from penstock.foundation.errors import AppError
from penstock.sql import (
    EngineStopped,
    EngineUnavailable,
    SessionGone,
    StatementCanceled,
    StatementFailed,
    StatementTimedOut,
)

SYNTAX, UNSUPPORTED, PROTOCOL, FAILED_TRANSACTION = "42601", "0A000", "08P01", "25P02"
NO_STATEMENT, NO_PORTAL, INVALID_VALUE, UNKNOWN_SETTING = "26000", "34000", "22P02", "42704"
INTERNAL, SYSTEM, SHUTDOWN, TOO_MANY, LIMIT = "XX000", "58000", "57P01", "53300", "54000"
INVALID_SETTING = "22023"
NO_LOGIN, WRONG_PASSWORD, NO_DATABASE, IDLE = "28000", "28P01", "3D000", "57P05"
CANCELED, TOO_MUCH = "57014", "53200"
_ENGINE = (
    (EngineStopped, SYSTEM),
    (EngineUnavailable, SYSTEM),
    (SessionGone, "25P01"),
    (StatementCanceled, CANCELED),
    (StatementTimedOut, CANCELED),
)
_MESSAGES = (
    (r"Parser Error", SYNTAX),
    (r"Catalog Error: Table with name \S+ does not exist", "42P01"),
    (r"Catalog Error: Scalar Function|Catalog Error: \w+ Function", "42883"),
    (r"Catalog Error: (Schema|.*schema) .*does not exist", "3F000"),
    (r"Catalog Error: .*already exists", "42P07"),
    (r"Catalog Error", "42704"),
    (r"Binder Error: (Referenced|Table .* does not have a) column", "42703"),
    (r"Binder Error: No function matches", "42883"),
    (r"Binder Error: Cannot compare|Binder Error: .*explicit cast", "42804"),
    (r"Binder Error", "42000"),
    (r"Conversion Error: .*(date|timestamp|time) field value", "22007"),
    (r"Conversion Error: .*(out of range|overflow)|Out of Range Error", "22003"),
    (r"Conversion Error", INVALID_VALUE),
    (r"Constraint Error: .*[Dd]uplicate key", "23505"),
    (r"Constraint Error: NOT NULL", "23502"),
    (r"Constraint Error: CHECK", "23514"),
    (r"Constraint Error", "23000"),
    (r".*read-only", "25006"),
    (r"TransactionContext Error: Current transaction is aborted", FAILED_TRANSACTION),
    (r"TransactionContext Error: Conflict|Transaction conflict", "40001"),
    (r"TransactionContext Error", "25000"),
    (r"Permission Error|Only the schema", "42501"),
    (r"Out of Memory Error", "53200"),
    (r"Not implemented Error|\w+( or \w+)* is not available in a workspace", UNSUPPORTED),
)
_PATTERNS = tuple((re.compile(pattern), code) for pattern, code in _MESSAGES)
_SHOWN_PLACE = re.compile(r"\n\s*LINE \d+: .*", re.DOTALL)


class ClientError(Exception):
    """Told to the client; the connection goes on."""

    def __init__(self, sqlstate: str, message: str, position: int | None = None) -> None:
        super().__init__(message)
        self.sqlstate, self.message, self.position = sqlstate, message, position
        """The position counts characters of the query from 1."""


class ConnectionRefused(ClientError):
    """Told to the client, and the connection ends."""


class ProtocolViolation(ConnectionRefused):
    def __init__(self, what: str) -> None:
        super().__init__(PROTOCOL, f"The message is not valid in the PostgreSQL protocol: {what}.")


def find_sqlstate(error: AppError) -> str:
    for kind, code in _ENGINE:
        if isinstance(error, kind):
            return code
    if isinstance(error, StatementFailed):
        return next((code for pattern, code in _PATTERNS if pattern.match(error.message)), "42000")
    return SYSTEM


def to_client_error(error: AppError, sql: str) -> ClientError:
    """An error of the engine. `sql` is what the positions of the engine are counted in."""
    place = error.position if isinstance(error, StatementFailed) else None
    position = find_offset(sql, place.line, place.column) if place else None
    # Clients show the place themselves.
    message = _SHOWN_PLACE.sub("", error.message) if position else error.message
    return ClientError(find_sqlstate(error), message, position)


def find_offset(sql: str, line: int, column: int) -> int | None:
    """The position of a line and a column, all counted from 1; None if the text has no such place."""
    lines = sql.split("\n")
    if not 1 <= line <= len(lines) or column > len(lines[line - 1]) + 1:
        return None
    return sum(len(each) + 1 for each in lines[: line - 1]) + column
