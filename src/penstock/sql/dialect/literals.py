"""String literals and comments of Snowflake, rewritten for DuckDB.

In single quotes a backslash is an escape in Snowflake but not in DuckDB. Between `$$` it is literal.
"""

from __future__ import annotations

import re

from penstock.sql.dialect.errors import NotTranslated

_PARTS = re.compile(
    r"""(?P<kept>--[^\n]*|/\*.*?(?:\*/|\Z)|"(?:[^"]|"")*+"?|\$\$.*?(?:\$\$|\Z))"""
    r"|//(?P<comment>[^\n]*)"
    r"|'(?P<literal>(?:[^'\\]|\\.|'')*+)'"
    r"|(?P<open>')",
    re.DOTALL,
)
_ESCAPE = re.compile(r"''|\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|([0-7]{3})|(.))", re.DOTALL)
_CONTROLS = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "0": "\0"}


def rewrite_literals(sql: str) -> str:
    """Raises NotTranslated for an unterminated string literal."""
    return _PARTS.sub(_rewrite, sql)


def decode(literal: str) -> str:
    """The value of a literal in single quotes."""
    return _ESCAPE.sub(_decode_escape, literal)


def _rewrite(found: re.Match[str]) -> str:
    if found["open"]:
        raise NotTranslated(
            "A text in single quotes does not end. A backslash escapes the character after it: "
            r"for a backslash write '\\', for a quote '' or \'."
        )
    if found["literal"] is not None:
        return "'" + decode(found["literal"]).replace("'", "''") + "'"
    return found[0] if found["comment"] is None else f"--{found['comment']}"


def _decode_escape(found: re.Match[str]) -> str:
    byte, unicode, octal, other = found.groups()
    if byte or unicode:
        return chr(int(byte or unicode, 16))
    if octal:
        return chr(int(octal, 8))
    return _CONTROLS.get(other, other) if other else "'"
