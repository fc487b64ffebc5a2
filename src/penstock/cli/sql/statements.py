"""Splits a text into statements at semicolons, except for those in quotes and comments."""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r"""
    (?P<comment> --[^\n]* | /\*.*?(?:\*/|\Z) )
    | (?P<quoted> '(?:[^']|'')*(?:'|\Z) | "(?:[^"]|"")*(?:"|\Z) | \$\$.*?(?:\$\$|\Z) )
    | (?P<end> ; )
    | (?P<other> [^-/'"$;]+ | . )
    """,
    re.VERBOSE | re.DOTALL,
)


def split_statements(text: str) -> list[str]:
    """Return the statements without their semicolons; comments alone are left out."""
    return [statement for statement, _ in _split(text)]


def is_complete(text: str) -> bool:
    """Whether the last statement of the text has its semicolon, so that a prompt runs it."""
    statements = list(_split(text))
    return not statements or statements[-1][1]


def _split(text: str) -> list[tuple[str, bool]]:
    """Each statement, and whether a semicolon ends it."""
    statements, current, has_code = list[tuple[str, bool]](), "", False
    for token in _TOKEN.finditer(text):
        if token["end"]:
            if has_code:
                statements.append((current.strip(), True))
            current, has_code = "", False
            continue
        current += token[0]
        has_code |= not token["comment"] and bool(token[0].strip())
    if has_code:
        statements.append((current.strip(), False))
    return statements
