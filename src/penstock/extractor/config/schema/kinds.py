"""Schemas of single settings: what `Section` of section.py can read.

The forms that older configurations use (numbers as text, `[]` for `{}`, null for absent) are definitions, so that each
setting shows the recommended form first.
"""

from __future__ import annotations

from typing import Any

from penstock.extractor.base.functions.library import FUNCTIONS_OF_PLACEHOLDERS

Schema = dict[str, Any]

NOT_SET: Schema = {"$ref": "#/definitions/notSet"}
VALUE: Schema = {"$ref": "#/definitions/value"}
_NUMBER_TEXT: Schema = {"$ref": "#/definitions/numberAsText"}
_WHOLE_TEXT: Schema = {"$ref": "#/definitions/wholeNumberAsText"}

TEXT: Schema = {"anyOf": [{"type": ["string", "number"]}, NOT_SET]}
TEXTS: Schema = {
    "anyOf": [
        {"type": ["string", "number"]},
        {"type": "array", "items": TEXT},
        {"type": "object", "additionalProperties": TEXT},
        NOT_SET,
    ]
}
FLAG: Schema = {"anyOf": [{"type": "boolean"}, {"enum": [1, "1", "true"]}, NOT_SET]}
WHOLE: Schema = {"anyOf": [{"type": ["number", "null"]}, _NUMBER_TEXT]}
EXACT: Schema = {"anyOf": [{"type": ["integer", "null"]}, _WHOLE_TEXT]}
SIZE: Schema = {"anyOf": [{"type": "number", "minimum": 1}, {**_NUMBER_TEXT, "not": {"pattern": "^[0. ]*$"}}]}
SECONDS: Schema = {"anyOf": [{"type": ["number", "null"]}, _NUMBER_TEXT]}
MAP: Schema = {"type": ["object", "array", "null"]}
VALUES: Schema = {"type": ["object", "array", "null"], "additionalProperties": VALUE}
REQUIRED_TEXT: Schema = {"type": ["string", "number"], "minLength": 1, "not": {"enum": [0, "0"]}}
ANY: Schema = {}

DEFINITIONS: dict[str, Schema] = {
    "notSet": {
        "description": "Counts as not set.",
        "anyOf": [
            {"enum": [0, None, "", "0", False]},
            {"type": ["array", "object"], "maxItems": 0, "maxProperties": 0},
        ],
    },
    "numberAsText": {
        "description": "A number that is written as a text.",
        "type": "string",
        "maxLength": 1000,
        "pattern": r"^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)$",
    },
    "wholeNumberAsText": {
        "description": "A whole number that is written as a text.",
        "type": "string",
        "maxLength": 1000,
        "pattern": "^[+-]?[0-9]+$",
    },
    "value": {
        "description": 'A value, a call {"function": "md5", "args": […]}, or a reference such as {"attr": "#token"}, '
        'which names another setting of `config`, or {"time": "previousStart"}.',
        "properties": {
            "function": {"enum": sorted(FUNCTIONS_OF_PLACEHOLDERS)},
            "args": {"type": ["array", "object", "null"], "items": VALUE},
        },
        "additionalProperties": VALUE,
        "items": VALUE,
    },
}


def setting(kind: Schema, about: str, default: Any = None) -> Schema:
    """Returns a property: its schema, its description, and its default."""
    facts: Schema = {"description": about}
    return {**kind, **facts} if default in (None, "") else {**kind, **facts, "default": default}


def choice(*words: str) -> Schema:
    return {"anyOf": [{"enum": list(words)}, NOT_SET]}


def section(properties: dict[str, Schema], required: tuple[str, ...] = (), about: str = "") -> Schema:
    """Returns a map of settings; `[]` and null mean that it is absent. Other keys are allowed."""
    schema: Schema = {"type": ["object", "array", "null"], "maxItems": 0, "properties": properties}
    schema |= {"required": list(required)} if required else {}
    return {"description": about, **schema} if about else schema


def items(item: Schema, about: str) -> Schema:
    """Returns a list of objects, or an object of them by name."""
    kind: Schema = {"type": ["array", "object", "null"], "items": item, "additionalProperties": item}
    return setting(kind, about)


def case(name: str, values: tuple[str, ...], then: Schema) -> Schema:
    """Returns a schema that applies if a setting has one of these values."""
    return {"if": {"required": [name], "properties": {name: {"enum": list(values)}}}, "then": then}
