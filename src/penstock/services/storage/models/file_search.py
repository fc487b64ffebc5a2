"""The search text of a list of files, parsed into a tree: `tags:"a" AND (name:report OR NOT id:7)`.

Terms are `tags:…`, `name:…`, `id:…` and plain words; `*` at either end is a wildcard. Adjacent terms must all match.
Malformed input is parsed as well as possible: nothing that users type into a search box is an error, except a text that
is too long.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from penstock.foundation.errors import Invalid

CHARACTERS, TERMS, NESTING = 4000, 100, 30
"""Databases limit the size of a query."""

_TOKEN = re.compile(
    r"""(?P<open>\() | (?P<close>\))
      | (?<![^\s(])(?P<not>[-!])(?=[^\s)]) | (?<![^\s(])(?P<must>\+)(?=[^\s)])
      | (?P<field>tags|name|id):\s*(?=[^\s:()])
      | "(?P<quoted>(?:[^"\\]|\\.)*)(?:"|\Z)
      | (?P<word>(?:[^\s()"\\]|\\.)+)""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_OPERATORS = {"AND": "AND", "&&": "AND", "OR": "OR", "||": "OR", "NOT": "NOT"}
_SIGNS = {"open": "(", "close": ")", "not": "NOT", "must": "AND"}


class SearchTooLong(Invalid):
    def __init__(self) -> None:
        super().__init__(f"The search has more than {CHARACTERS} characters or {TERMS} terms.")


class Term(msgspec.Struct, frozen=True):
    """`field` is empty for a plain word, which matches the name or a tag."""

    field: str
    text: str
    is_open_left: bool = False
    is_open_right: bool = False


class AllOf(msgspec.Struct, frozen=True):
    of: tuple[Node, ...]


class AnyOf(msgspec.Struct, frozen=True):
    of: tuple[Node, ...]


class Not(msgspec.Struct, frozen=True):
    of: Node


Node = Term | AllOf | AnyOf | Not
Token = str | Term
"""`(`, `)`, `AND`, `OR`, `NOT`, or a term."""


def parse_search(text: str) -> Node | None:
    """Return None if the search is empty."""
    if len(text) > CHARACTERS:
        raise SearchTooLong
    tokens = list(_tokenize(text))
    if sum(isinstance(token, Term) for token in tokens) > TERMS:
        raise SearchTooLong
    return _Reader(list(_balanced(tokens))).read_any()


def _tokenize(text: str) -> Iterator[Token]:
    field = ""
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or ""
        if kind == "field":
            field = match["field"]
            continue
        yield _SIGNS.get(kind) or _word(field, match[kind], is_quoted=kind == "quoted")
        field = ""


def _word(field: str, text: str, *, is_quoted: bool) -> Token:
    if is_quoted:
        return Term(field, _ESCAPED.sub(r"\1", text))
    if not field and text in _OPERATORS:
        return _OPERATORS[text]
    is_open_left, is_open_right = text.startswith("*"), text.endswith("*") and not text.endswith("\\*")
    inside = text[is_open_left : len(text) - is_open_right]
    return Term(field, _ESCAPED.sub(r"\1", inside), is_open_left, is_open_right)


def _balanced(tokens: Sequence[Token]) -> Iterator[Token]:
    """Tokens without unmatched closing parentheses, and without those nested too deeply."""
    depth = 0
    for each in tokens:
        depth += each == "("
        if each not in ("(", ")") or 0 < depth <= NESTING:
            yield each
        depth = max(depth - (each == ")"), 0)


class _Reader:
    """Recursive descent parser; an operator that lacks an operand is dropped."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens, self._at = tokens, 0

    def read_any(self) -> Node | None:
        parts = [self._read_all()]
        while self._take("OR"):
            parts.append(self._read_all())
        return _join(AnyOf, parts)

    def _read_all(self) -> Node | None:
        parts: list[Node | None] = []
        while self._next not in (None, "OR", ")"):
            parts.append(None if self._take("AND") else self._read_one())
        return _join(AllOf, parts)

    def _read_one(self) -> Node | None:
        is_negated = False
        while self._take("NOT"):
            is_negated = not is_negated
        found = self._read_operand()
        return Not(found) if found and is_negated else found

    def _read_operand(self) -> Node | None:
        token = self._next
        if isinstance(token, Term):
            self._at += 1
            return token
        if not self._take("("):
            return None
        found = self.read_any()
        self._take(")")
        return found

    @property
    def _next(self) -> Token | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def _take(self, sign: str) -> bool:
        is_there = self._next == sign
        self._at += is_there
        return is_there


def _join(kind: type[AllOf | AnyOf], parts: Sequence[Node | None]) -> Node | None:
    found = tuple(part for part in parts if part)
    return found[0] if len(found) == 1 else kind(found) if found else None
