"""Which tables a script creates, as far as its text says so: for the suggestions of an output mapping.

It is only a scan for CREATE TABLE and CREATE VIEW outside of quotes and comments; nothing depends on it.
"""

from __future__ import annotations

import re

_NAME = r'(?:"(?:[^"]|"")+"|[A-Za-z_][\w$]*)'
_SKIPPED = re.compile(r"--[^\n]*|/\*.*?(?:\*/|\Z)|'(?:[^']|'')*(?:'|\Z)", re.DOTALL)
_CREATE = re.compile(
    rf"\bCREATE\s+(?:OR\s+REPLACE\s+)?(?P<temp>(?:LOCAL\s+|GLOBAL\s+)?(?:TEMP|TEMPORARY)\s+)?(?:TRANSIENT\s+)?"
    rf"(?:TABLE|VIEW)\s+(?:IF\s+NOT\s+EXISTS\s+)?(?P<name>{_NAME}(?:\s*\.\s*{_NAME}){{0,2}})",
    re.IGNORECASE,
)
_PART = re.compile(_NAME)


def find_output_tables(queries: list[str]) -> list[str]:
    """Each name once, in the order of the script; unquoted ones in upper case, as Snowflake stores them. Temporary
    tables are left out."""
    found: dict[str, None] = {}
    for query in queries:
        for match in _CREATE.finditer(_SKIPPED.sub(" ", query)):
            if not match["temp"]:
                found[_stored(_PART.findall(match["name"])[-1])] = None
    return list(found)


def _stored(name: str) -> str:
    return name[1:-1].replace('""', '"') if name.startswith('"') else name.upper()
