"""SQL as tokens, within limits: a statement that is too long or too deeply nested is an error before it is parsed.

The parser knows most functions and rewrites their arguments by its own rules. The names of functions are marked here,
so that it leaves calls as they are written, and the tables in functions/ say what each means.
"""

from __future__ import annotations

from typing import Any

from sqlglot.dialects.snowflake import Snowflake
from sqlglot.errors import TokenError
from sqlglot.parsers.snowflake import SnowflakeParser
from sqlglot.tokenizer_core import Token, TokenType

from penstock.sql.dialect.errors import SqlError, SqlTooLarge

SNOWFLAKE = Snowflake()
MAX_CHARACTERS = 1_000_000
MAX_DEPTH = 200
MAX_CHAIN = 2_000
"""Operators in a row, such as `1 + 1 + 1`."""
MARK = "\ue000"
"""Before the name of a function. A private character, which no name of Snowflake may contain without quotes."""
_SYNTAX = {
    *("AND", "OR", "XOR", "NOT", "IN", "ANY", "ALL", "SOME", "EXISTS", "VALUES", "CASE", "IF"),
    *("CAST", "TRY_CAST", "EXTRACT", "POSITION", "TABLE", "CONVERT", "MATCH", "UNNEST", "MAP", "STRUCT"),
}
"""Words that the parser has to see as they are, because no plain list of arguments follows."""


def names_of(parser: Any) -> frozenset[str]:
    """Functions that a parser of the library knows."""
    return frozenset[str](parser.FUNCTIONS) | frozenset[str](parser.FUNCTION_PARSERS)


FUNCTION_NAMES = names_of(SnowflakeParser) - _SYNTAX
_OPENING = {TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE, TokenType.CASE}
_CLOSING = {TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE, TokenType.END}
_SEPARATORS = {
    *(
        TokenType.COMMA,
        TokenType.SELECT,
        TokenType.FROM,
        TokenType.WHERE,
        TokenType.SEMICOLON,
        TokenType.AND,
        TokenType.OR,
    ),
    *(TokenType.WHEN, TokenType.THEN, TokenType.ELSE),
}
_OPERATORS = {
    *(TokenType.PLUS, TokenType.DASH, TokenType.STAR, TokenType.SLASH, TokenType.MOD, TokenType.DPIPE, TokenType.NOT),
    *(TokenType.TILDE, TokenType.DCOLON, TokenType.COLON, TokenType.DOT, TokenType.EQ, TokenType.LT, TokenType.GT),
    *(TokenType.LTE, TokenType.GTE, TokenType.NEQ, TokenType.LIKE, TokenType.ILIKE, TokenType.IS, TokenType.AMP),
    *(TokenType.PIPE, TokenType.CARET, TokenType.JOIN, TokenType.ON, TokenType.INTERVAL, TokenType.BETWEEN),
    *(TokenType.RLIKE, TokenType.IN, TokenType.L_BRACKET),
}


def tokenize(sql: str) -> list[Token]:
    """Raises SqlError for text that is too long, too deep, or has a literal or comment without an end."""
    if len(sql) > MAX_CHARACTERS:
        raise SqlTooLarge(f"The SQL has {len(sql)} characters. The limit is {MAX_CHARACTERS}.")
    if "\0" in sql:
        raise SqlError("The SQL contains the character U+0000, which is not allowed.")
    _check_encoding(sql)
    try:
        tokens = SNOWFLAKE.tokenize(sql)
    except TokenError as error:
        raise _unreadable(sql) from error
    _check_nesting(tokens)
    return tokens


def mark_functions(tokens: list[Token], names: frozenset[str] = FUNCTION_NAMES) -> None:
    before = TokenType.SEMICOLON
    for index in range(len(tokens) - 1):
        token = tokens[index]
        if tokens[index + 1].token_type == TokenType.L_PAREN and _is_call(token, before, names):
            tokens[index] = _marked(token)
        before = token.token_type


def _marked(token: Token) -> Token:
    return Token(TokenType.VAR, MARK + token.text, token.line, token.col, token.start, token.end, token.comments)


def _is_call(token: Token, before: TokenType, names: frozenset[str]) -> bool:
    """`* REPLACE (…)` and `THEN INSERT (…)` look like calls."""
    if token.token_type in (TokenType.IDENTIFIER, TokenType.STRING) or token.text.upper() not in names:
        return False
    if token.text.upper() in ("REPLACE", "INSERT") and before in (TokenType.STAR, TokenType.THEN, TokenType.R_PAREN):
        return False
    return before not in (TokenType.INTO, TokenType.ALIAS)


def _check_encoding(sql: str) -> None:
    try:
        sql.encode()
    except UnicodeError as error:
        raise SqlError(f"The SQL is not valid Unicode: {error}.") from error


def _check_nesting(tokens: list[Token]) -> None:
    depth, chains = 0, [0]
    for token in tokens:
        kind = token.token_type
        if kind in _SEPARATORS:
            chains[-1] = 0
        elif kind in _OPERATORS:
            chains[-1] += 1
        if kind in _OPENING:
            depth += 1
            chains.append(0)
        elif kind in _CLOSING and depth:
            depth -= 1
            chains.pop()
        if depth > MAX_DEPTH or chains[-1] > MAX_CHAIN:
            raise _too_deep(token)


def _too_deep(token: Token) -> SqlTooLarge:
    return SqlTooLarge(
        f"The statement is nested too deeply at line {token.line}. The limits are {MAX_DEPTH} levels of parentheses "
        f"and {MAX_CHAIN} operators in a row.",
        line=token.line,
    )


def _unreadable(sql: str) -> SqlError:
    line = sql.count("\n") + 1
    position = len(sql) - (sql.rfind("\n") + 1)
    hint = "A text, a name or a comment does not end. "
    hint += "A backslash escapes the character after it: for a backslash write '\\\\', for a quote ''."
    return SqlError(
        f"parse error line {line} at position {position} near '<EOF>'. {hint}", line=line, position=position
    )
