"""JSON schemas of configurations: made from the typed parameters of a program, or put together by hand."""

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
    """What a parameter means, beside its type: `name: Annotated[str, about("What it is called.")]`."""
    return msgspec.Meta(description=text)


def text(meaning: str) -> Schema:
    return {**TEXT, "description": meaning}


def name(meaning: str) -> Schema:
    """A text that is not empty."""
    return {**NAME, "description": meaning}


def schema_of(parameters: type[msgspec.Struct]) -> Schema:
    """Of typed parameters; the outermost struct is the schema itself, those inside it are definitions."""
    definitions = msgspec.json.schema(parameters)["$defs"]
    outermost = definitions.pop(parameters.__name__)
    return {**outermost, "title": "Parameters", **({"$defs": definitions} if definitions else {})}
