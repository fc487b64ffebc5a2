"""SQL as tokens of DuckDB's own lexer: the contents of literals and comments are never changed."""

from __future__ import annotations

import re
from itertools import pairwise

import duckdb
import msgspec

_WORD = re.compile(r"[^\W\d][\w$]*")
_QUOTED = re.compile(r'"(?:[^"]|"")*"')
_STRING = re.compile(r"'(?:[^']|'')*'|\$\$.*?\$\$", re.DOTALL)
_GAP = re.compile(r"\s|--|/\*")


class Token(msgspec.Struct):
    text: str
    gap: str
    """The whitespace and comments after it."""
    is_word: bool = False
    """A keyword, or an unquoted name."""

    @property
    def word(self) -> str:
        """In upper case; empty for anything but a word."""
        return self.text.upper() if self.is_word else ""


def split(sql: str) -> tuple[str, list[Token]]:
    """The text before the first token, and the tokens; joined they are the original text."""
    content = sql.encode()
    found: list[tuple[int, duckdb.token_type]] = duckdb.tokenize(sql)
    starts = [*(start for start, _kind in found), len(content)]
    parts = [content[start:end].decode() for start, end in pairwise(starts)]
    tokens = [_token(part, kind) for part, (_start, kind) in zip(parts, found, strict=True)]
    return content[: starts[0]].decode(), tokens


def join(before: str, tokens: list[Token]) -> str:
    return before + "".join(token.text + token.gap for token in tokens)


def _token(text: str, kind: duckdb.token_type) -> Token:
    if kind in (duckdb.token_type.identifier, duckdb.token_type.keyword):
        if match := _WORD.match(text):
            return Token(match[0], text[match.end() :], is_word=True)
        if match := _QUOTED.match(text):
            return Token(match[0], text[match.end() :])
    if kind == duckdb.token_type.string_const:
        end = match.end() if (match := _STRING.match(text)) else len(text)
        return Token(text[:end], text[end:])
    gap = _GAP.search(text)
    return Token(text[: gap.start()], text[gap.start() :]) if gap else Token(text, "")
