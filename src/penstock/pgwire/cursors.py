"""Named cursors: DECLARE, FETCH, MOVE and CLOSE.

The rows of a cursor are a result of the engine, in a file. So it takes no memory, does not see later changes, and can
be read in both directions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from penstock.pgwire.errors import LIMIT, NO_PORTAL, SYNTAX, ClientError
from penstock.pgwire.execution import Execution
from penstock.pgwire.results import Result
from penstock.pgwire.statements import read_tokens

MAX_CURSORS = 1_000
_NO_TRANSACTION, _EXISTS, _FORWARD_ONLY = "25P01", "42P03", "55000"
_FROM = ("from", "in")
_DIRECTIONS: dict[tuple[str, ...], tuple[str, int | None]] = {
    (): ("forward", 1),
    ("next",): ("forward", 1),
    ("forward",): ("forward", 1),
    ("prior",): ("backward", 1),
    ("backward",): ("backward", 1),
    ("first",): ("absolute", 1),
    ("last",): ("absolute", -1),
    ("all",): ("forward", None),
    ("forward", "all"): ("forward", None),
    ("backward", "all"): ("backward", None),
}


class Declaration(NamedTuple):
    name: str
    query: str
    start: int
    """Of the query in the statement."""
    is_scrollable: bool
    is_held: bool
    """Whether it outlives its transaction."""
    is_binary: bool
    in_transaction: bool

    def check_transaction(self) -> None:
        if not self.is_held and not self.in_transaction:
            raise ClientError(
                _NO_TRANSACTION, "A cursor lives in a transaction: begin one, or declare the cursor WITH HOLD."
            )


class Cursor:
    def __init__(self, declaration: Declaration, result: Result, result_id: str) -> None:
        self.name, self.result, self.result_id = declaration.name, result, result_id
        self.is_held, self._is_scrollable = declaration.is_held, declaration.is_scrollable
        if declaration.is_binary:
            result.formats = [1]
        self.is_new = declaration.in_transaction
        """Whether the transaction that declared it is open."""
        self._position = 0
        """The row that it is on, from 1; 0 is before the first one, and after the last one there is one more."""

    def fetch(self, way: str, count: int | None, *, with_rows: bool) -> Result:
        """The next rows in a direction; None is all."""
        first, last, position = self._find_rows(way, count)
        if way == "backward" or (first <= self._position and first <= last):
            self._check_scrollable()
        self._position = position
        number = max(0, last - first + 1)
        if not with_rows:
            return Result(f"MOVE {number}")
        return self.result.part(f"FETCH {number}", first - 1, number, is_reversed=way == "backward")

    def _find_rows(self, way: str, count: int | None) -> tuple[int, int, int]:
        """The first and the last row, which is before the first one if there are none, and the new position."""
        end, now = self.result.count, self._position
        if way == "absolute":
            target = count or 0
            return self._find_row(target if target >= 0 else end + 1 + target)
        if way == "relative" or count == 0:
            return self._find_row(now + (count or 0))
        if way == "backward":
            first = 1 if count is None else max(1, now - count)
            return first, min(now - 1, end), 0 if count is None else max(0, now - count)
        last = end if count is None else min(end, now + count)
        return now + 1, last, last if count is not None and now + count <= end else end + 1

    def _find_row(self, target: int) -> tuple[int, int, int]:
        position = min(max(target, 0), self.result.count + 1)
        is_row = 1 <= position <= self.result.count
        if position < self._position:
            self._check_scrollable()
        return position, position if is_row else position - 1, position

    def _check_scrollable(self) -> None:
        if not self._is_scrollable:
            raise ClientError(
                _FORWARD_ONLY, f'The cursor "{self.name}" only goes forward. Declare it as SCROLL CURSOR.'
            )


class Cursors:
    """Those of one client."""

    def __init__(self, execution: Execution) -> None:
        self._execution = execution
        self._cursors: dict[str, Cursor] = {}

    def declare(self, declaration: Declaration, run: Callable[[str], Result]) -> Result:
        """`run` executes the query; its result has the id that it is called with."""
        if declaration.name in self._cursors:
            raise ClientError(_EXISTS, f'The cursor "{declaration.name}" exists already.')
        if len(self._cursors) >= MAX_CURSORS:
            raise ClientError(LIMIT, f"A connection has at most {MAX_CURSORS} cursors. Close some.")
        result_id = self._execution.new_result_id()
        try:
            self._cursors[declaration.name] = Cursor(declaration, run(result_id), result_id)
        except BaseException:
            self._execution.free_result_id(result_id)
            raise
        return Result("DECLARE CURSOR")

    def find(self, name: str) -> Cursor | None:
        return self._cursors.get(name)

    def get(self, name: str) -> Cursor:
        if name not in self._cursors:
            raise ClientError(NO_PORTAL, f'There is no cursor "{name}".')
        return self._cursors[name]

    def fetch(self, sql: str) -> Result:
        """FETCH or MOVE."""
        words = [each.word for each in read_tokens(sql)]
        name, way, count = read_fetch(words[1:])
        return self.get(name).fetch(way, count, with_rows=words[0] == "fetch")

    def find_fetched(self, sql: str) -> Cursor:
        """The cursor that a FETCH reads from."""
        return self.get(read_fetch([each.word for each in read_tokens(sql)][1:])[0])

    def close(self, sql: str) -> Result:
        words = [each.word for each in read_tokens(sql)]
        if words[1:] == ["all"]:
            self.close_all()
            return Result("CLOSE CURSOR ALL")
        if len(words) != 2:
            raise ClientError(SYNTAX, "CLOSE is followed by the name of a cursor, or ALL.")
        self._remove(self.get(_unquote(words[1])))
        return Result("CLOSE CURSOR")

    def close_all(self) -> None:
        for cursor in list(self._cursors.values()):
            self._remove(cursor)

    def end_transaction(self, *, is_committed: bool) -> None:
        for cursor in list(self._cursors.values()):
            if not cursor.is_held or (cursor.is_new and not is_committed):
                self._remove(cursor)
            cursor.is_new = False

    def _remove(self, cursor: Cursor) -> None:
        del self._cursors[cursor.name]
        self._execution.free_result_id(cursor.result_id)


def parse_declaration(sql: str, *, in_transaction: bool) -> Declaration:
    """`DECLARE name [BINARY] [INSENSITIVE] [[NO] SCROLL] CURSOR [{WITH | WITHOUT} HOLD] FOR query`."""
    words = list[str]()
    for token in read_tokens(sql):
        if token.word == "for" and "cursor" in words:
            break
        words.append(token.word)
    else:
        raise ClientError(SYNTAX, "DECLARE is followed by a name, CURSOR FOR, and a query.")
    if words[2:3] == [] or words[-1] not in ("cursor", "hold"):
        raise ClientError(SYNTAX, "DECLARE is followed by a name, CURSOR FOR, and a query.")
    is_held = "hold" in words and "without" not in words
    is_scrollable = "scroll" in words and "no" not in words
    query = sql[token.end :]
    return Declaration(_unquote(words[1]), query, token.end, is_scrollable, is_held, "binary" in words, in_transaction)


def read_fetch(words: list[str]) -> tuple[str, str, int | None]:
    """The name of the cursor, the direction, and how many rows; None is all."""
    name = _unquote(words[-1]) if words else ""
    direction = words[:-2] if len(words) > 1 and words[-2] in _FROM else words[:-1]
    if tuple(direction) in _DIRECTIONS:
        return name, *_DIRECTIONS[tuple(direction)]
    match direction:
        case ["absolute" | "relative" as way, *number]:
            return name, way, _read_number(number)
        case ["forward" | "backward" as way, *number]:
            return name, *_turn(way, _read_number(number))
        case _:
            return name, *_turn("forward", _read_number(direction))


def _turn(way: str, count: int) -> tuple[str, int]:
    if count >= 0:
        return way, count
    return "forward" if way == "backward" else "backward", -count


def _read_number(words: list[str]) -> int:
    sign, digits = (-1, words[1:]) if words[:1] == ["-"] else (1, words)
    if len(digits) != 1 or not digits[0].isdecimal() or len(digits[0]) > 18:
        raise ClientError(SYNTAX, "FETCH and MOVE are followed by a direction and a cursor, as FETCH 100 FROM name.")
    return sign * int(digits[0])


def _unquote(word: str) -> str:
    return word[1:-1].replace('""', '"') if word[:1] == '"' else word
