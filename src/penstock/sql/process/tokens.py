"""The tokens of a statement, as the database's own lexer finds them."""

from __future__ import annotations

import re

import duckdb
import msgspec

_TEXT = re.compile(r'"(?:[^"]|"")*"|[\w$]+|.', re.DOTALL)


class Token(msgspec.Struct, frozen=True):
    text: str
    start: int
    """In characters of the statement."""
    is_literal: bool = False

    @property
    def word(self) -> str:
        """Return the word in lower case, for keywords and names without quotes, which have no case."""
        return "" if self.is_literal else self.text.lower()

    @property
    def is_name(self) -> bool:
        return not self.is_literal and (self.text[:1] == '"' or self.text[:1].isalpha() or self.text[:1] == "_")

    @property
    def name(self) -> str:
        return self.text[1:-1].replace('""', '"') if self.text[:1] == '"' else self.text


def read_tokens(sql: str) -> list[Token]:
    """Read the tokens without comments. The text of a literal is only its beginning."""
    content = sql.encode()
    tokens: list[Token] = []
    last, position = 0, 0
    for start, kind in duckdb.tokenize(sql):
        position += len(content[last:start].decode())
        last = start
        found = _TEXT.match(sql, position)
        is_literal = kind in (duckdb.token_type.string_const, duckdb.token_type.numeric_const)
        tokens.append(Token(found[0] if found else "", position, is_literal))
    return tokens


def qualified_names(tokens: list[Token]) -> list[tuple[str, ...]]:
    """Names with at least one dot between them, in order: `a.b`, `a.b.c`."""
    found: list[tuple[str, ...]] = []
    parts: list[str] = []
    for number, token in enumerate(tokens):
        if token.is_name and (not parts or tokens[number - 1].text == "."):
            parts.append(token.name)
        elif token.text != "." or not parts:
            found.append(tuple(parts))
            parts = [token.name] if token.is_name else []
    return [each for each in [*found, tuple(parts)] if len(each) > 1]


def qualified_name(tokens: list[Token]) -> list[str]:
    """The parts of the name at the beginning."""
    parts: list[str] = []
    for number, token in enumerate(tokens):
        if number % 2 == 0 and token.is_name:
            parts.append(token.name)
        elif number % 2 == 0 or token.text != ".":
            break
    return parts
