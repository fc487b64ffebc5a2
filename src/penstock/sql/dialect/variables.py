"""Session variables: a `$name` that was never set is an error, before anything runs.

They are found in tokens and not in trees, so that a script is checked as a whole before its first statement, whatever
else is wrong with it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import msgspec
from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

from penstock.sql.dialect.errors import UnknownVariable
from penstock.sql.dialect.parsing import Source, refuse, split_statements

_BEFORE_STATEMENT = ("THEN", "ELSE", "BEGIN", "DO", "LOOP")
"""Words of a script after which a statement begins."""
_LITERALS = (TokenType.NUMBER, TokenType.STRING, TokenType.RAW_STRING)


class Use(msgspec.Struct, frozen=True):
    """A `$name`: lines count from 1, positions from 0."""

    name: str
    line: int
    position: int


class Variables(msgspec.Struct, frozen=True):
    """What one statement does with variables. Their names have no case."""

    reads: tuple[Use, ...]
    sets: frozenset[str] = frozenset()
    unsets: frozenset[str] = frozenset()

    def check(self, defined: frozenset[str]) -> frozenset[str]:
        """Return those that are defined after the statement. Raises UnknownVariable."""
        for use in self.reads:
            if use.name not in defined:
                raise UnknownVariable(use.name, use.line, use.position)
        return (defined | self.sets) - self.unsets


def check_variables(sql: str, defined: frozenset[str]) -> frozenset[str]:
    """Check all statements of a text, in which `defined` are set; return those that are set after it. Raises
    SqlError."""
    for source in split_statements(sql):
        defined = find_variables(source).check(defined)
    return defined


def find_variables(source: Source) -> Variables:
    tokens = source.tokens
    if tokens[0].text.upper() == "UNSET":
        return Variables((), unsets=_names(tokens[1:]))
    reads = tuple(_to_use(source.sql, *pair) for pair in itertools.pairwise(tokens) if _is_variable(*pair))
    sets = [_names(tokens[number + 1 :]) for number in _find_sets(tokens)]
    return Variables(reads, sets=frozenset[str]().union(*sets))


def check_stages(source: Source, tree: exp.Expr) -> None:
    """The parser takes the `@name` of a stage for a variable. Raises NotTranslated."""
    variables = {use.name for use in find_variables(source).reads}
    for node in tree.find_all(exp.Parameter):
        if not isinstance(node.this, exp.Literal) and node.this.name.upper() not in variables:
            raise refuse(f"The stage @{node.this.name}", "Load the file into a table first.")


def _is_variable(sign: Token, name: Token) -> bool:
    """`$1` is a column. A text in `$$` is one token."""
    if sign.token_type != TokenType.PARAMETER or sign.text != "$" or name.token_type in _LITERALS:
        return False
    return name.token_type == TokenType.IDENTIFIER or name.text[:1].isalpha() or name.text[:1] == "_"


def _to_use(sql: str, sign: Token, name: Token) -> Use:
    return Use(name.text.upper(), sql.count("\n", 0, sign.start) + 1, sign.start - sql.rfind("\n", 0, sign.start) - 1)


def _find_sets(tokens: list[Token]) -> Iterator[int]:
    """Yield where a SET of variables is: at the beginning, or in a branch of a script, which may run. That of an UPDATE
    has the names of columns."""
    for number, token in enumerate(tokens):
        before = tokens[number - 1].text.upper() if number else _BEFORE_STATEMENT[0]
        if token.token_type == TokenType.SET and before in _BEFORE_STATEMENT:
            yield number


def _names(tokens: list[Token]) -> frozenset[str]:
    """The name, or the names in parentheses, that the tokens begin with."""
    if not tokens or tokens[0].token_type != TokenType.L_PAREN:
        return frozenset(token.text.upper() for token in tokens[:1])
    inside = itertools.takewhile(lambda token: token.token_type != TokenType.R_PAREN, tokens[1:])
    return frozenset(token.text.upper() for token in inside if token.token_type != TokenType.COMMA)
