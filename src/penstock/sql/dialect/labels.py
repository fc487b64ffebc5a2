"""Names of columns without an alias: Snowflake names them after their text in upper case, `COUNT(*)` or `A + B`."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot.tokenizer_core import Token, TokenType

MAX_LENGTH = 250
_OPENING = {TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE}
_CLOSING = {TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE}
_AFTER = {
    *(TokenType.FROM, TokenType.WHERE, TokenType.GROUP_BY, TokenType.HAVING, TokenType.QUALIFY, TokenType.ORDER_BY),
    *(TokenType.LIMIT, TokenType.UNION, TokenType.EXCEPT, TokenType.INTERSECT, TokenType.WINDOW, TokenType.FETCH),
    *(TokenType.OFFSET, TokenType.INTO, TokenType.SEMICOLON),
}
"""What can follow the columns of a SELECT."""
_NAMES = {TokenType.VAR, TokenType.IDENTIFIER}
_BEFORE_ALIAS = {
    *(TokenType.NUMBER, TokenType.STRING, TokenType.RAW_STRING, TokenType.NULL, TokenType.TRUE, TokenType.FALSE),
    *(TokenType.END, *_NAMES, *_CLOSING),
}
_VALUES = {
    *(TokenType.NUMBER, TokenType.STRING, TokenType.RAW_STRING, TokenType.NULL, TokenType.TRUE, TokenType.FALSE),
    *(TokenType.CURRENT_DATE, TokenType.CURRENT_TIME, TokenType.CURRENT_TIMESTAMP, TokenType.CURRENT_USER),
    *(TokenType.CURRENT_ROLE, TokenType.LOCALTIME, TokenType.LOCALTIMESTAMP, TokenType.HEX_STRING),
}
_NO_EXPRESSION = {TokenType.STAR, TokenType.ALIAS, TokenType.SELECT, TokenType.PARAMETER}


def add_labels(sql: str, tokens: list[Token]) -> list[Token]:
    """The tokens with `AS "…"` after every expression that has no name."""
    labels = dict(_find_labels(sql, tokens))
    labelled: list[Token] = []
    for index, token in enumerate(tokens):
        labelled.append(token)
        if label := labels.get(index):
            place = (token.line, token.col, token.start, token.end)
            labelled += [Token(TokenType.ALIAS, "AS", *place), Token(TokenType.IDENTIFIER, label, *place)]
    return labelled


def _find_labels(sql: str, tokens: list[Token]) -> Iterator[tuple[int, str]]:
    """The position of the last token of an expression, and its label."""
    opened: list[int | None] = [None]
    """For every open parenthesis: where the current column of its SELECT begins."""
    for index, token in enumerate(tokens):
        kind, start = token.token_type, opened[-1]
        is_end = kind == TokenType.COMMA or kind in _CLOSING or (kind in _AFTER and not _is_distinct(tokens, index))
        if start is not None and is_end:
            yield from _label(sql, tokens, start, index)
            opened[-1] = index + 1 if kind == TokenType.COMMA else None
        if kind in _OPENING:
            opened.append(None)
        elif kind in _CLOSING and len(opened) > 1:
            opened.pop()
        elif kind == TokenType.SELECT or (kind in (TokenType.DISTINCT, TokenType.ALL) and start == index):
            opened[-1] = index + 1
    if opened[-1] is not None and len(opened) == 1:
        yield from _label(sql, tokens, opened[-1], len(tokens))


def _is_distinct(tokens: list[Token], index: int) -> bool:
    """The FROM of `IS DISTINCT FROM`."""
    before = [token.token_type for token in tokens[max(index - 3, 0) : index]]
    return tokens[index].token_type == TokenType.FROM and before[-1:] == [TokenType.DISTINCT] and TokenType.IS in before


def _label(sql: str, tokens: list[Token], start: int, end: int) -> Iterator[tuple[int, str]]:
    if start < end and tokens[start].token_type == TokenType.TOP:
        start += 2
    item = tokens[start:end]
    if len(item) < 1 or _has_name(item):
        return
    text = sql[item[0].start : item[-1].end + 1]
    yield end - 1, text.upper()[:MAX_LENGTH]


def _has_name(item: list[Token]) -> bool:
    """Return whether it is a column, has an alias, or represents many columns."""
    kinds = [token.token_type for token in item]
    if any(kind in _NO_EXPRESSION for kind in _outside(kinds)):
        return not _is_product(kinds)
    if _is_column(item):
        return True
    return len(kinds) > 1 and kinds[-1] in _NAMES and kinds[-2] in _BEFORE_ALIAS


def _is_column(item: list[Token]) -> bool:
    """`a` or `a.b`; many keywords are names of columns too."""
    names, dots = item[::2], item[1::2]
    is_dotted = all(token.token_type == TokenType.DOT for token in dots)
    return is_dotted and len(item) % 2 == 1 and all(_is_name(token) for token in names)


def _is_name(token: Token) -> bool:
    return token.token_type == TokenType.IDENTIFIER or (token.text.isidentifier() and token.token_type not in _VALUES)


def _outside(kinds: list[TokenType]) -> Iterator[TokenType]:
    depth = 0
    for kind in kinds:
        depth -= kind in _CLOSING
        if not depth:
            yield kind
        depth += kind in _OPENING


def _is_product(kinds: list[TokenType]) -> bool:
    """`a * b`: a star that is neither first nor after a dot multiplies."""
    outside = list(_outside(kinds))
    if any(kind in (TokenType.ALIAS, TokenType.SELECT) for kind in outside):
        return False
    stars = [index for index, kind in enumerate(kinds) if kind == TokenType.STAR]
    multiplies = all(index and kinds[index - 1] != TokenType.DOT for index in stars)
    return multiplies and not (kinds[-1] in _NAMES and len(kinds) > 1 and kinds[-2] in _BEFORE_ALIAS)
