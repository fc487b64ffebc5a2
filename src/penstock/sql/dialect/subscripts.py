"""Subscripts: Snowflake counts from 0, DuckDB from 1 in lists and from 0 in JSON.

After SPLIT(…) it is known to be a list. Anywhere else the type is unknown here, and a guess could return other rows.
"""

from __future__ import annotations

from penstock.sql.dialect.calls import Call, find_calls
from penstock.sql.dialect.errors import NotTranslated
from penstock.sql.dialect.tokens import Token

_BEFORE_AN_ARRAY = {
    *("SELECT", "DISTINCT", "ALL", "FROM", "WHERE", "HAVING", "ON", "BY", "AND", "OR", "NOT", "IN", "AS", "VALUES"),
    *("CASE", "WHEN", "THEN", "ELSE", "LIKE", "BETWEEN"),
}
"""A bracket after one of these begins an array."""


def translate_subscripts(tokens: list[Token]) -> None:
    """Raises NotTranslated for a subscript of anything but SPLIT(…)."""
    calls = find_calls(tokens)
    splits = {call.closing for call in calls if call.name == "SPLIT"}
    for call in calls:
        if _is_subscript(tokens, call.opening):
            if call.opening - 1 not in splits or any(token.text == ":" for token in _inside(tokens, call)):
                raise _not_translated(tokens, call)
            # 0 is outside of a list, so a subscript below 0 gives NULL, as in Snowflake.
            tokens[call.opening].text = "[greatest(0, 1 + ("
            tokens[call.closing].text = "))]"


def _is_subscript(tokens: list[Token], opening: int) -> bool:
    if tokens[opening].text != "[" or not opening:
        return False
    before = tokens[opening - 1]
    if before.is_word:
        return before.word not in _BEFORE_AN_ARRAY
    return before.text in (")", "]", "}", "))]") or before.text.startswith(('"', "'", "$"))


def _inside(tokens: list[Token], call: Call) -> list[Token]:
    return tokens[call.opening + 1 : call.closing]


def _not_translated(tokens: list[Token], call: Call) -> NotTranslated:
    inside = "".join(token.text for token in _inside(tokens, call))
    return NotTranslated(
        f"The subscript [{inside}] is not translated: only a position directly after SPLIT(…) is. "
        "Write `value->>0` or `value->>'key'` for JSON, which counts from 0, and `LIST_EXTRACT(value, 1)` for a list, "
        "which counts from 1."
    )
