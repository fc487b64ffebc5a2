"""Tokens into one tree per statement, and syntax errors in the words of Snowflake."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, TypeVar

import msgspec
from sqlglot import exp
from sqlglot.errors import ParseError
from sqlglot.parsers.snowflake import SnowflakeParser
from sqlglot.tokenizer_core import Token, TokenType

from penstock.sql.dialect.errors import NotTranslated, SqlError, SqlSyntaxError, SqlTooLarge
from penstock.sql.dialect.labels import add_labels
from penstock.sql.dialect.lexing import MARK, SNOWFLAKE, mark_functions, tokenize

# The parser warns of every statement that it does not know; here that is an error.
logging.getLogger("sqlglot").setLevel(logging.ERROR)

_NO_STATEMENTS = (
    exp.Alias,
    exp.Column,
    exp.Binary,
    exp.Unary,
    exp.Func,
    exp.Literal,
    exp.Star,
    exp.Identifier,
    exp.Case,
)
_SMALL = 400
"""Tokens that the stack of any thread is enough for."""
_STACK = 256 * 1024 * 1024

T = TypeVar("T")


class Source(msgspec.Struct, frozen=True):
    """One statement as written."""

    sql: str
    tokens: list[Token]

    @property
    def start(self) -> int:
        return self.tokens[0].start

    @property
    def end(self) -> int:
        return self.tokens[-1].end + 1

    @property
    def text(self) -> str:
        return self.sql[self.start : self.end]


def split_statements(sql: str) -> Iterator[Source]:
    found: list[Token] = []
    for token in tokenize(sql):
        if token.token_type != TokenType.SEMICOLON:
            found.append(token)
        elif found:
            yield Source(sql, found)
            found = []
    if found:
        yield Source(sql, found)


def parse(source: Source) -> exp.Expr:
    """Raises SqlError."""
    labelled = add_labels(source.sql, source.tokens)
    if len(labelled) > len(source.tokens):
        # A word can be an alias where labels.py does not see one; the statement then has no labels.
        with suppress(SqlError):
            return _parse(source, labelled)
    return _parse(source, list(source.tokens))


def _parse(source: Source, tokens: list[Token]) -> exp.Expr:
    mark_functions(tokens)
    try:
        [tree, *more] = SnowflakeParser(dialect=SNOWFLAKE).parse(tokens, source.sql)
    except ParseError as error:
        raise _syntax_error(source, error) from error
    except (ValueError, TypeError, AttributeError, KeyError, IndexError) as error:
        # The parser builds some trees without looking at what it was given.
        raise _unexpected(source.tokens[0]) from error
    if more or tree is None or isinstance(tree, _NO_STATEMENTS):
        raise _unexpected(source.tokens[0])
    return tree


def with_deep_stack(source: Source, work: Callable[[], T]) -> T:
    """The parser and the writer of SQL are recursive, in compiled code: a large statement gets a large stack."""
    if len(source.tokens) <= _SMALL:
        return work()
    outcome: dict[str, Any] = {}

    def run() -> None:
        try:
            outcome["value"] = work()
        except BaseException as error:
            outcome["error"] = error

    _run_with_stack(run)
    if "error" in outcome:
        raise outcome["error"]
    return outcome["value"]


_STACK_LOCK = threading.Lock()


def _run_with_stack(run: Callable[[], None]) -> None:
    with _STACK_LOCK:
        before = threading.stack_size(_STACK)
        try:
            thread = threading.Thread(target=run, name="sql-translation", daemon=True)
            thread.start()
        finally:
            threading.stack_size(before)
    thread.join()


def _syntax_error(source: Source, error: ParseError) -> SqlError:
    if source.tokens[0].token_type is TokenType.VAR:  # a word that starts no statement: the parser tries an expression
        return _unexpected(source.tokens[0])
    found: dict[str, Any] = error.errors[0] if error.errors else {}
    token = _token_at(source, int(found.get("line") or 1), int(found.get("col") or 0))
    if token is source.tokens[-1] and "missing" in str(found.get("description")):
        return SqlSyntaxError(token.line, token.col, "<EOF>")
    return _unexpected(token)


def _token_at(source: Source, line: int, column: int) -> Token:
    """`column` is where the token ends."""
    for token in source.tokens:
        if (token.line, token.col) >= (line, column):
            return token
    return source.tokens[-1]


def _unexpected(token: Token) -> SqlSyntaxError:
    text = token.text.removeprefix(MARK)
    return SqlSyntaxError(token.line, max(token.col - (token.end - token.start + 1), 0), text)


def refuse(what: str, instead: str = "") -> NotTranslated:
    return NotTranslated(f"{what} is not translated to this engine.{' ' + instead if instead else ''}")


def too_deep() -> SqlTooLarge:
    return SqlTooLarge("The statement is nested too deeply.")
