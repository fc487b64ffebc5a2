"""Types of Snowflake translated to DuckDB; a word is a type only where a type can occur."""

from __future__ import annotations

from penstock.sql.dialect.tokens import Token

_WHOLE = "DECIMAL(38, 0)"
TYPES = {
    **dict.fromkeys(("NUMBER", "DECIMAL", "NUMERIC", "DEC"), _WHOLE),
    **dict.fromkeys(("INT", "INTEGER", "BIGINT", "SMALLINT", "TINYINT", "BYTEINT"), "BIGINT"),
    **dict.fromkeys(("FLOAT", "FLOAT4", "FLOAT8", "REAL"), "DOUBLE"),
    **dict.fromkeys(("TIMESTAMP_NTZ", "TIMESTAMPNTZ", "DATETIME"), "TIMESTAMP"),
    **dict.fromkeys(("TIMESTAMP_LTZ", "TIMESTAMPLTZ", "TIMESTAMP_TZ", "TIMESTAMPTZ"), "TIMESTAMPTZ"),
    **dict.fromkeys(("VARIANT", "OBJECT", "ARRAY"), "JSON"),
    **dict.fromkeys(("BINARY", "VARBINARY"), "BLOB"),
}
_MOMENTS = ("TIMESTAMP", "TIMESTAMPTZ", "TIME")
"""Types without a configurable precision."""
_CASTS = ("CAST", "TRY_CAST")


def translate_types(tokens: list[Token]) -> None:
    for index in _type_positions(tokens):
        token = tokens[index]
        name = TYPES.get(token.word, token.word)
        has_size = index + 1 < len(tokens) and tokens[index + 1].text == "("
        if has_size and name in _MOMENTS:
            _drop_size(tokens, index + 1)
        token.text = "DECIMAL" if has_size and name == _WHOLE else name


def _type_positions(tokens: list[Token]) -> list[int]:
    """After `::`, after the AS of a cast, and after column names in definitions."""
    found: list[int] = []
    opened: list[str] = []
    """For every open parenthesis: what it belongs to."""
    for index, token in enumerate(tokens):
        before = tokens[index - 1] if index else Token("", "")
        if token.text == "(":
            opened.append(_owner(tokens, index))
        elif token.text == ")" and opened:
            opened.pop()
        elif token.is_word and _is_type(tokens, index, before, opened[-1] if opened else ""):
            found.append(index)
    return found


def _is_type(tokens: list[Token], index: int, before: Token, owner: str) -> bool:
    if before.text == "::":
        return True
    if owner == "cast":
        return before.word == "AS"
    earlier = tokens[index - 2] if index > 1 else Token("", "")
    if owner == "columns":
        return earlier.text in ("(", ",") and before.text != "("
    return earlier.word == "COLUMN" and tokens[index - 3].word == "ADD"


def _owner(tokens: list[Token], index: int) -> str:
    before = tokens[index - 1].word if index else ""
    if before in _CASTS:
        return "cast"
    start = index - 1
    while start >= 0 and (tokens[start].text == "." or not tokens[start].is_word or tokens[start].word != "TABLE"):
        if tokens[start].text in ("(", ")", ";", ",") or tokens[start].word in ("AS", "SELECT"):
            return ""
        start -= 1
    return "columns" if start >= 0 else ""


def _drop_size(tokens: list[Token], index: int) -> None:
    while index < len(tokens) and tokens[index].text != ")":
        tokens[index].text = tokens[index].gap = ""
        index += 1
    if index < len(tokens):
        tokens[index].text = ""
