"""The text of a query: where its statements end, and where its parameters are.

What the statements mean is found out by the parser of the engine, in its own process. This only has to know quotes and
comments.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from typing import NamedTuple

_TOKEN = re.compile(
    r"""
    (?P<comment> --[^\n]* | /\* )
    | (?P<quoted>
        [eE]'(?:[^'\\]++|\\.|'')*+(?:'|\\?\Z)
        | '(?:[^']++|'')*+(?:'|\Z)
        | "(?:[^"]++|"")*+(?:"|\Z)
        | \$(?P<tag>(?:[^\W\d]\w*)?)\$.*?(?:\$(?P=tag)\$|\Z)
      )
    | \$(?P<parameter>\d{1,5})(?!\w)
    | (?P<word> [^\W\d][\w$]* | \d[\w.]* )
    | (?P<end> ; )
    | (?P<space> \s+ )
    | (?P<other> . )
    """,
    re.VERBOSE | re.DOTALL,
)
_COMMENT = re.compile(r"/\*|\*/")
_WORDS = 12
"""How many tokens at the beginning of a statement say what it is."""


class Parameter(NamedTuple):
    number: int
    """From 1."""
    start: int
    end: int
    before: tuple[str, ...]
    """The two tokens before it, in lower case."""


class Statement(NamedTuple):
    text: str
    start: int
    """In characters of the query."""
    words: tuple[str, ...]
    """The first tokens, in lower case; those in quotes as they are."""
    parameters: tuple[Parameter, ...]
    """In the text, in order."""

    @property
    def first_word(self) -> str:
        return self.words[0]

    @property
    def most_parameter(self) -> int:
        return max((each.number for each in self.parameters), default=0)

    def with_values(self, values: Sequence[str]) -> str:
        """The text with SQL in the place of its parameters."""
        pieces, last = list[str](), 0
        for each in self.parameters:
            pieces += [self.text[last : each.start], values[each.number - 1]]
            last = each.end
        return "".join([*pieces, self.text[last:]])


class _Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


def split_query(query: str) -> list[Statement]:
    """Statements without their semicolons; what holds only comments is left out."""
    found, current = list[Statement](), list[_Token]()
    for token in _read_tokens(query):
        if token.kind != "end":
            current.append(token)
        elif current:
            found.append(_to_statement(query, current))
            current = []
    return [*found, _to_statement(query, current)] if current else found


def _to_statement(query: str, tokens: list[_Token]) -> Statement:
    start = tokens[0].start
    words = tuple(each.text if each.kind == "quoted" else each.text.lower() for each in tokens[:_WORDS])
    parameters = tuple(
        Parameter(int(each.text[1:]), each.start - start, each.end - start, _before(tokens, number))
        for number, each in enumerate(tokens)
        if each.kind == "parameter" and int(each.text[1:])
    )
    return Statement(query[start : tokens[-1].end], start, words, parameters)


def _before(tokens: list[_Token], number: int) -> tuple[str, ...]:
    return tuple(each.text.lower() for each in tokens[max(0, number - 2) : number])


def _read_tokens(query: str) -> Generator[_Token]:
    position = 0
    while found := _TOKEN.match(query, position):
        position, kind = found.end(), found.lastgroup or ""
        if found[0] == "/*":
            position = _end_of_comment(query, position)
        elif kind == "tag":
            kind = "quoted"
        if kind not in ("comment", "space"):
            yield _Token(kind, found[0], found.start(), position)


def _end_of_comment(query: str, position: int) -> int:
    """Comments may be inside each other."""
    depth = 1
    for found in _COMMENT.finditer(query, position):
        depth += 1 if found[0] == "/*" else -1
        if not depth:
            return found.end()
    return len(query)
