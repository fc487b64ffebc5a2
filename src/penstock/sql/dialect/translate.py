"""Translates SQL of Snowflake to SQL of DuckDB, token by token. Unknown parts stay unchanged, and DuckDB reports errors
in them."""

from __future__ import annotations

from penstock.sql.dialect.calls import find_calls
from penstock.sql.dialect.dates import translate_dates
from penstock.sql.dialect.errors import NotTranslated
from penstock.sql.dialect.formats import translate_formats
from penstock.sql.dialect.literals import rewrite_literals
from penstock.sql.dialect.subscripts import translate_subscripts
from penstock.sql.dialect.tokens import Token, join, split
from penstock.sql.dialect.types import translate_types

_WITHOUT_PARENTHESES = ("CURRENT_TIMESTAMP", "CURRENT_TIME", "LOCALTIME", "LOCALTIMESTAMP")
_ORDERED = ("LISTAGG", "ARRAY_AGG")
_NOTHING = Token("", "")


def translate(sql: str) -> str:
    """Raises NotTranslated for text that is not Unicode, and for constructs that would silently return other rows."""
    try:
        before, tokens = split(rewrite_literals(sql))
    except UnicodeError as error:
        raise NotTranslated(f"The SQL cannot be read: {error}") from error
    _refuse_paths(tokens)
    for token in tokens:
        token.text = token.word or token.text  # a name without quotes is in upper case
    for index in range(len(tokens)):
        _translate_word(tokens, index)
    translate_types(tokens)
    translate_dates(tokens)
    translate_formats(tokens)
    translate_subscripts(tokens)
    _translate_aggregates(tokens)
    return join(before, tokens)


def _refuse_paths(tokens: list[Token]) -> None:
    """`column:field` is a path in Snowflake and an alias in DuckDB, which would silently return another column."""
    depth = 0
    for token in tokens:
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(token.text, 0)
        if token.text == ":" and not depth:
            raise NotTranslated(
                "A path into JSON, such as `column:field`, is not translated. Write `column->>'field'` instead."
            )


def _translate_word(tokens: list[Token], index: int) -> None:
    token, before, after = _at(tokens, index), _at(tokens, index - 1), _at(tokens, index + 1)
    if token.word == "TRANSIENT" and after.word == "TABLE":
        token.text = token.gap = ""
    elif token.word == "MINUS" and after.word in ("SELECT", "ALL"):
        token.text = "EXCEPT"
    elif token.word == "SET" and before.text in ("", ";") and after.is_word:
        token.text = "SET VARIABLE"
    elif token.is_word and before.text.endswith("$") and not before.gap:
        before.text, token.text = before.text[:-1], f"getvariable('{token.text}')"
    elif token.word in _WITHOUT_PARENTHESES and (after.text, _at(tokens, index + 2).text) == ("(", ")"):
        after.text = tokens[index + 2].text = ""


def _translate_aggregates(tokens: list[Token]) -> None:
    for call in find_calls(tokens):
        if call.name == "LISTAGG" and not call.commas:
            tokens[call.closing].text = ", '')"  # DuckDB would put commas between the values
        if call.name in _ORDERED:
            _order_inside(tokens, call.closing)


def _order_inside(tokens: list[Token], closing: int) -> None:
    """`LISTAGG(x) WITHIN GROUP (ORDER BY y)` is `LISTAGG(x ORDER BY y)`."""
    within, group, opening = (_at(tokens, closing + each) for each in (1, 2, 3))
    if (within.word, group.word, opening.text) == ("WITHIN", "GROUP", "("):
        tokens[closing].text = tokens[closing].text[:-1]
        within.text = group.text = opening.text = ""


def _at(tokens: list[Token], index: int) -> Token:
    return tokens[index] if 0 <= index < len(tokens) else _NOTHING
