"""Errors of DuckDB about tables and columns that do not exist, in the words of Snowflake.

DuckDB names what is missing in the translated statement. The name is found again in the statement as written, which
gives its place there, and how it is qualified.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import msgspec
from sqlglot.tokenizer_core import Token, TokenType

from penstock.sql.dialect.errors import InvalidIdentifier, ObjectMissing, SqlError
from penstock.sql.dialect.lexing import tokenize
from penstock.sql.places import find_position

_OBJECT = re.compile(r'Catalog Error: (?P<kind>Table|View) with name "?(?P<name>.+?)"? does not exist')
_DATABASE = re.compile(r'Binder Error: Catalog "(?P<name>.+?)" does not exist')
_COLUMN = tuple(
    re.compile(f"Binder Error: {pattern}")
    for pattern in (
        r'Referenced column "(?P<name>.+?)" (?:was )?not found',
        r'[A-Z][a-z ]+ "(?P<table>.+?)" does not have a column (?:named|with name) "(?P<name>.+?)"',
        r"Referenced update column (?P<name>.+?) not found in table",
        r'Column "(?P<name>.+?)" in EXCLUDE list not found',
    )
)
_TABLE_OF_COLUMN = re.compile(r'Binder Error: Referenced table "(?P<name>.+?)" not found')
_DEFINITIONS = ("DROP", "ALTER")
"""Statements whose errors name the kind of the object."""
_REGULAR = re.compile(r"[A-Z_][A-Z0-9_$]*")
_WORD = re.compile(r"[^\W\d][\w$]*")
_TEXTS = (TokenType.STRING, TokenType.RAW_STRING)


class Name(msgspec.Struct, frozen=True):
    """A name in a statement, qualified or not; its parts are in upper case unless they are quoted."""

    parts: tuple[str, ...]
    start: int

    def __str__(self) -> str:
        return ".".join(_quoted(part) for part in self.parts)

    def ends_with(self, *parts: str) -> bool:
        return _folded(self.parts[-len(parts) :]) == _folded(parts)


def explain_failure(message: str, sql: str, executed: str) -> SqlError | None:
    """The error of Snowflake for what DuckDB says of the translated statement; None if it is about something else."""
    if match := _OBJECT.match(message):
        return _object_missing(sql, match["name"], match["kind"], _choose(message, sql, executed, _is_object(match)))
    if match := _DATABASE.match(message):
        return _object_missing(sql, match["name"], "", _choose(message, sql, executed, _begins_with(match["name"])))
    if match := _TABLE_OF_COLUMN.match(message):
        return _invalid_identifier(sql, match["name"], _choose(message, sql, executed, _begins_with(match["name"])))
    match = next(filter(None, (pattern.match(message) for pattern in _COLUMN)), None)
    return _invalid_identifier(sql, match["name"], _choose_column(message, sql, executed, match)) if match else None


def _object_missing(sql: str, missing: str, kind: str, name: Name | None) -> SqlError:
    is_definition = tokenize(sql)[0].text.upper() in _DEFINITIONS
    line, position = _place(sql, name)
    shown = str(name) if name else _quoted(missing)
    return ObjectMissing(kind if kind and is_definition else "Object", shown, line, position)


def _invalid_identifier(sql: str, missing: str, name: Name | None) -> SqlError:
    line, position = _place(sql, name)
    return InvalidIdentifier(str(name) if name else _quoted(missing), line, position)


def _place(sql: str, name: Name | None) -> tuple[int | None, int | None]:
    if not name:
        return None, None
    return sql.count("\n", 0, name.start) + 1, name.start - sql.rfind("\n", 0, name.start) - 1


def _is_object(match: re.Match[str]) -> Callable[[Name], bool]:
    """DuckDB writes the schema before the name if that is what is missing."""
    missing = match["name"].lower()
    return lambda name: f".{'.'.join(_folded(name.parts))}".endswith(f".{missing}")


def _begins_with(first: str) -> Callable[[Name], bool]:
    return lambda name: len(name.parts) > 1 and name.parts[0].lower() == first.lower()


def _choose_column(message: str, sql: str, executed: str, match: re.Match[str]) -> Name | None:
    """Return the column, with its table if that is written before it, as it is not in the list of columns of an
    INSERT."""
    name, table = match["name"], match.groupdict().get("table")
    qualified = table and _choose(message, sql, executed, lambda each: each.ends_with(table, name))
    return qualified or _choose(message, sql, executed, lambda each: each.ends_with(name))


def _choose(message: str, sql: str, executed: str, is_meant: Callable[[Name], bool]) -> Name | None:
    """The name that is meant: the first one, or the one at whose turn DuckDB shows the error."""
    names = _list_names(tokenize(sql))
    meant = [name for name in names if is_meant(name)]
    if len(meant) < 2:
        return meant[0] if meant else None
    last = meant[0].parts[-1]
    at_turn = _find_at_turn(message, executed, last, [name for name in names if name.ends_with(last)])
    return at_turn if at_turn in meant else meant[0]


def _find_at_turn(message: str, executed: str, last: str, names: list[Name]) -> Name | None:
    """Find the name by how often it is written before the error, if both statements have it as often: the translation
    repeats arguments of some functions."""
    starts = [found.start() for found in re.finditer(re.escape(_always_quoted(last)), executed, re.IGNORECASE)]
    offset = _find_offset(message, executed)
    if offset is None or len(starts) != len(names):
        return None
    turn = sum(start < offset for start in starts)
    return names[turn] if turn < len(names) else None


def _find_offset(message: str, executed: str) -> int | None:
    """Return where in the translated statement the error is."""
    position = find_position(message, executed)
    if not position:
        return None
    lines = executed.split("\n")
    return sum(len(line) + 1 for line in lines[: position.line - 1]) + position.column - 1


def _list_names(tokens: Sequence[Token]) -> list[Name]:
    """Words and quoted names with dots between them. Keywords are among them, since some are names too."""
    names: list[Name] = []
    for number, token in enumerate(tokens):
        part = _part(token)
        if part is None:
            continue
        is_more = number > 1 and tokens[number - 1].token_type == TokenType.DOT and _part(tokens[number - 2])
        if is_more and names:
            names[-1] = Name((*names[-1].parts, part), names[-1].start)
        else:
            names.append(Name((part,), token.start))
    return names


def _part(token: Token) -> str | None:
    if token.token_type == TokenType.IDENTIFIER:
        return token.text
    is_word = token.token_type not in _TEXTS and _WORD.fullmatch(token.text)
    return token.text.upper() if is_word else None


def _folded(parts: Sequence[str]) -> list[str]:
    return [part.lower() for part in parts]


def _quoted(part: str) -> str:
    """Return the name as Snowflake shows it: with quotes only if it needs them."""
    return part if _REGULAR.fullmatch(part) else _always_quoted(part)


def _always_quoted(part: str) -> str:
    return '"' + part.replace('"', '""') + '"'
