"""The search in events: `message:"import of *" AND type:error`.

Users and programs write it carelessly, with quotes inside quotes; whatever does not parse is searched for literally in
the messages. Nothing is an error.
"""

from __future__ import annotations

import re

import msgspec

FIELDS = {
    "message": "message",
    "description": "description",
    "event": "event",
    "component": "component",
    "type": "type",
    "runId": "run_id",
    "configurationId": "configuration_id",
    "objectId": "object_id",
    "objectType": "object_type",
    "token.name": "token_description",
}
PROSE = ("message", "description")
STARS = 8
"""Further wildcards are literal."""

_NAMES = "|".join(map(re.escape, FIELDS))
_CLAUSE = re.compile(rf"(?P<field>{_NAMES}):(?P<value>.*)", re.DOTALL)
_AND = re.compile(rf"\s+AND\s+(?=(?:{_NAMES}):)")
_SPACE = re.compile(rf"\s+(?:AND\s+)?(?=(?:{_NAMES}):)")


class Clause(msgspec.Struct, frozen=True):
    """A column contains these pieces in this order, with anything between them. In messages and descriptions, more text
    may surround them."""

    column: str
    pieces: tuple[str, ...]

    @property
    def is_prose(self) -> bool:
        return self.column in PROSE


def parse_search(text: str) -> list[Clause]:
    """All of the clauses must hold."""
    # Inside quotes, a space may be followed by something that only looks like a field.
    separator = _AND if '"' in text else _SPACE
    return [_to_clause(part) for part in separator.split(text.strip()) if part]


def _to_clause(text: str) -> Clause:
    match = _CLAUSE.fullmatch(text.strip())
    column, value = (FIELDS[match["field"]], match["value"].strip()) if match else (PROSE[0], text.strip())
    if len(value) > 1 and value[0] == value[-1] == '"':
        value = value[1:-1]
    return Clause(column, tuple(value.split("*", STARS)))
