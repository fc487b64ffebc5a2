"""The text of a query: where its statements end, and where its parameters are.

What the statements mean is found out by the parser of the engine, in its own process. This only has to know quotes,
comments and parentheses. It keeps no list of tokens: a query may have millions of them.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Generator, Sequence
from typing import NamedTuple

from penstock.pgwire.errors import LIMIT, ClientError

MAX_CHARACTERS = 5_000_000
"""Of a query, and of a statement with its values: the engine takes no longer ones."""
MAX_PARAMETERS = 65_535
"""The highest number of a parameter."""
MAX_PLACES = 100_000
"""How often a statement may use parameters."""
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
CHANGES = ("insert", "update", "delete", "merge")
_MAX_KEYWORD_LENGTH = 20
_PARAMETER_BYTES = 400


class Parameter(NamedTuple):
    number: int
    """From 1."""
    start: int
    end: int
    before: tuple[str, ...]
    """The two tokens before it, in lower case; empty for those that are too long for a keyword."""


class Statement(NamedTuple):
    text: str
    start: int
    """In characters of the query."""
    words: tuple[str, ...]
    """The first tokens, in lower case; those in quotes as they are."""
    parameters: tuple[Parameter, ...]
    """In the text, in order."""
    main: int = 0
    """Where INSERT, UPDATE, DELETE or MERGE begins in the text, behind a WITH; otherwise 0."""
    main_words: tuple[str, ...] = ()
    """The tokens from there, as `words`."""
    returning: int | None = None
    """Where the columns of RETURNING begin in the text; None if it has none."""

    @property
    def first_word(self) -> str:
        return self.words[0]

    @property
    def highest_parameter(self) -> int:
        return max((each.number for each in self.parameters), default=0)

    @property
    def size(self) -> int:
        """About how many bytes of memory it takes."""
        words = sum(sys.getsizeof(each) for each in (*self.words, *self.main_words))
        return sys.getsizeof(self.text) + words + _PARAMETER_BYTES * len(self.parameters)

    def with_values(self, values: Sequence[str]) -> str:
        """The text with SQL in the place of its parameters."""
        added = sum(len(values[each.number - 1]) - (each.end - each.start) for each in self.parameters)
        check_length(len(self.text) + added)
        pieces, last = list[str](), 0
        for each in self.parameters:
            pieces += [self.text[last : each.start], values[each.number - 1]]
            last = each.end
        return "".join([*pieces, self.text[last:]])


def check_length(characters: int) -> None:
    if characters > MAX_CHARACTERS:
        raise ClientError(
            LIMIT, f"A statement has at most {MAX_CHARACTERS} characters with its values. Load large data from a file."
        )


class Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int

    @property
    def word(self) -> str:
        return self.text if self.kind == "quoted" else self.text.lower()

    @property
    def keyword(self) -> str:
        return self.text.lower() if len(self.text) <= _MAX_KEYWORD_LENGTH else ""


class _Reader:
    """The tokens of one statement, of which it keeps only what a Statement has."""

    def __init__(self, first: Token) -> None:
        self._start = self._end = first.start
        self._words, self._main_words = list[str](), list[str]()
        self._parameters = list[Parameter]()
        self._last: tuple[str, ...] = ()
        self._depth, self._main, self._returning = 0, 0, None

    def add(self, token: Token) -> None:
        keyword = token.keyword
        if token.kind == "parameter":
            self._add_parameter(token)
        elif token.kind == "word":
            self._find_clause(token, keyword)
        elif token.kind == "other":
            self._depth += {"(": 1, ")": -1}.get(keyword, 0)
        if len(self._words) < _WORDS:
            self._words.append(token.word)
        if self._main and len(self._main_words) < _WORDS:
            self._main_words.append(token.word)
        self._last = (*self._last[-1:], keyword)
        self._end = token.end

    def statement(self, query: str) -> Statement:
        words = tuple(self._words)
        return Statement(
            query[self._start : self._end],
            self._start,
            words,
            tuple(self._parameters),
            self._main,
            tuple(self._main_words) if self._main else words,
            self._returning,
        )

    def _add_parameter(self, token: Token) -> None:
        number = int(token.text[1:])
        if number > MAX_PARAMETERS:
            raise ClientError(LIMIT, f"A statement has at most {MAX_PARAMETERS} parameters.")
        if len(self._parameters) >= MAX_PLACES:
            raise ClientError(LIMIT, f"A statement uses parameters at most {MAX_PLACES} times.")
        if number:
            place = (token.start - self._start, token.end - self._start)
            self._parameters.append(Parameter(number, *place, self._last))

    def _find_clause(self, token: Token, keyword: str) -> None:
        """Outside of parentheses. A change follows the last one of a WITH: before it, the word is a name."""
        if self._depth:
            return
        if keyword in CHANGES and not self._main and self._words[:1] == ["with"] and self._last[-1:] == (")",):
            self._main = token.start - self._start
        elif keyword == "returning" and self._returning is None:
            self._returning = token.end - self._start


def split_query(query: str) -> Generator[Statement]:
    """Statements without their semicolons; what holds only comments is left out."""
    check_length(len(query))
    reader: _Reader | None = None
    for token in read_tokens(query):
        if token.kind != "end":
            reader = reader or _Reader(token)
            reader.add(token)
        elif reader:
            yield reader.statement(query)
            reader = None
    if reader:
        yield reader.statement(query)


def read_tokens(query: str) -> Generator[Token]:
    position = 0
    while found := _TOKEN.match(query, position):
        position, kind = found.end(), found.lastgroup or ""
        if found[0] == "/*":
            position = _end_of_comment(query, position)
        elif kind == "tag":
            kind = "quoted"
        if kind not in ("comment", "space"):
            yield Token(kind, found[0], found.start(), position)


def _end_of_comment(query: str, position: int) -> int:
    """Comments may be inside each other."""
    depth = 1
    for found in _COMMENT.finditer(query, position):
        depth += 1 if found[0] == "/*" else -1
        if not depth:
            return found.end()
    return len(query)
