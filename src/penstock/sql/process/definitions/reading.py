"""Names and lists in the tokens of a definition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from penstock.foundation.text.quoting import quote_name
from penstock.sql.errors import Position, StatementFailed
from penstock.sql.process.tokens import Token


class Definition(NamedTuple):
    """Statements of the database that do what one of PostgreSQL does, in their order."""

    main: str
    """The one that is reported."""
    before: Sequence[str] = ()
    after: Sequence[str] = ()


class ObjectName(NamedTuple):
    schema: str
    """Empty if the name has none."""
    name: str

    def __str__(self) -> str:
        return ".".join(quote_name(each) for each in self if each)


class Reader:
    """Walks over the tokens of a statement."""

    def __init__(self, sql: str, tokens: Sequence[Token], position: int = 0) -> None:
        self.sql, self.tokens, self.position = sql, tokens, position

    @property
    def word(self) -> str:
        """The next one; empty at the end and for literals."""
        return self.tokens[self.position].word if self.position < len(self.tokens) else ""

    @property
    def start(self) -> int:
        """Return where the next token begins in the text."""
        return self.tokens[self.position].start if self.position < len(self.tokens) else len(self.sql)

    def skip(self, *words: str) -> bool:
        """Whether these words come next; then they are passed."""
        end = self.position + len(words)
        if tuple(each.word for each in self.tokens[self.position : end]) != words:
            return False
        self.position = end
        return True

    def read_name(self) -> ObjectName:
        """`table`, `schema.table` or `database.schema.table`."""
        parts = [self.read_identifier()]
        while self.skip("."):
            parts.append(self.read_identifier())
        return ObjectName(parts[-2] if len(parts) > 1 else "", parts[-1])

    def read_identifier(self) -> str:
        if self.position >= len(self.tokens) or not self.tokens[self.position].is_name:
            raise self.refuse("A name is missing here.")
        self.position += 1
        return self.tokens[self.position - 1].name

    def read_names(self) -> list[ObjectName]:
        names = [self.read_name()]
        while self.skip(","):
            names.append(self.read_name())
        return names

    def refuse(self, message: str, start: int | None = None) -> StatementFailed:
        """An error at the next token, or at `start` of the text."""
        before = self.sql[: self.start if start is None else start]
        return StatementFailed(message, Position(before.count("\n") + 1, len(before) - before.rfind("\n")))

    def rest(self) -> str:
        return self.sql[self.start :]


def split_list(tokens: Sequence[Token], start: int, end: int) -> Iterator[tuple[int, int]]:
    """Parts between commas that are in no parentheses, as positions of tokens."""
    depth, first = 0, start
    for position in range(start, end):
        text = "" if tokens[position].is_literal else tokens[position].text
        depth += {"(": 1, ")": -1}.get(text, 0)
        if text == "," and not depth:
            yield first, position
            first = position + 1
    yield first, end


def find_closing(tokens: Sequence[Token], start: int) -> int:
    """The position of the parenthesis that closes the one at `start`."""
    depth = 0
    for position in range(start, len(tokens)):
        text = "" if tokens[position].is_literal else tokens[position].text
        depth += {"(": 1, ")": -1}.get(text, 0)
        if not depth:
            return position
    raise StatementFailed("A parenthesis of the statement is not closed.")
