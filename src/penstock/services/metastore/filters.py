"""The grammar of `filter`: `field=value`, several joined by ` and `.

    name=Revenue
    attributes.modelUUID=0190a2b4-… and attributes.dataset="Orders and returns"

A field is one of FIELDS, or an attribute at the top level of the document. A value is compared as text, exactly; in
double quotes it is a JSON text, and may contain anything.
"""

from __future__ import annotations

import re

import msgspec

from penstock.services.metastore.errors import InvalidFilter
from penstock.services.metastore.models import Condition

FIELDS = ("id", "name", "branch", "revision", "schemaVersion", "scope")
ATTRIBUTES = "attributes."
MAX_FILTERS = 10

_CONDITION = re.compile(
    r'\s*([A-Za-z_][\w.-]*)\s*=\s*("(?:[^"\\]|\\.)*"|(?:(?!\s+and\s).)*)', re.IGNORECASE | re.DOTALL
)
_AND = re.compile(r"\s+and\s+", re.IGNORECASE)


def parse_filter(text: str) -> list[Condition]:
    """All of them must be true."""
    found: list[Condition] = []
    at = 0
    while text.strip() and at < len(text):
        if found:
            joint = _AND.match(text, at)
            if not joint:
                raise InvalidFilter(f"{text[at : at + 50]!r} does not follow an ` and `.")
            at = joint.end()
        match = _CONDITION.match(text, at)
        if not match:
            raise InvalidFilter(f"{text[at : at + 50]!r} is not a condition.")
        found.append(_read_condition(match[1], match[2].strip()))
        at = match.end() if text[match.end() :].strip() else len(text)
    if len(found) > MAX_FILTERS:
        raise InvalidFilter(f"it has {len(found)} conditions, and may have {MAX_FILTERS}.")
    return found


def _read_condition(field: str, value: str) -> Condition:
    text = _unquote(value)
    if "\0" in text:
        raise InvalidFilter(f"the value of `{field}` contains a null character, which no document has.")
    if field in FIELDS:
        return Condition(field, "", text)
    if field.startswith(ATTRIBUTES) and len(field) > len(ATTRIBUTES):
        return Condition("", field.removeprefix(ATTRIBUTES), text)
    raise InvalidFilter(f"`{field}` is not a field: {', '.join(FIELDS)}, or {ATTRIBUTES}NAME.")


def _unquote(value: str) -> str:
    if not value.startswith('"'):
        return value
    try:
        return msgspec.json.decode(value, type=str)
    except msgspec.DecodeError as error:
        raise InvalidFilter(f"{value[:50]} is not a text in quotes.") from error
