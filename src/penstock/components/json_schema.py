"""JSON schemas of configurations: generated from the typed parameters of a program, or built by hand."""

from __future__ import annotations

from typing import Any

import msgspec

Schema = dict[str, Any]

DRAFT = "http://json-schema.org/draft-07/schema#"
TEXT: Schema = {"type": "string"}
NAME: Schema = {"type": "string", "minLength": 1}


def an_object(required: list[str], **properties: Any) -> Schema:
    schema: Schema = {"type": "object", "properties": properties}
    return {**schema, "required": required} if required else schema


def a_list(items: Schema, **more: Any) -> Schema:
    return {"type": "array", "items": items, **more}


def about(text: str) -> msgspec.Meta:
    """Returns the description of a parameter, next to its type: `name: Annotated[str, about("What it is called.")]`."""
    return msgspec.Meta(description=text)


def text(meaning: str) -> Schema:
    return {**TEXT, "description": meaning}


def name(meaning: str) -> Schema:
    """Returns a non-empty string."""
    return {**NAME, "description": meaning}


def build_schema(parameters: type[msgspec.Struct]) -> Schema:
    """Returns the schema of typed parameters; nested structs become definitions."""
    definitions = msgspec.json.schema(parameters)["$defs"]
    outermost = definitions.pop(parameters.__name__)
    return {**outermost, "title": "Parameters", **({"$defs": definitions} if definitions else {})}
