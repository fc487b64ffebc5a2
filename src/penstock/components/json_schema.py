"""Pieces of JSON schemas, for components whose configuration is described by hand."""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]

DRAFT = "http://json-schema.org/draft-07/schema#"
TEXT: Schema = {"type": "string"}
NAME: Schema = {"type": "string", "minLength": 1}


def an_object(required: list[str], **properties: Any) -> Schema:
    schema: Schema = {"type": "object", "properties": properties}
    return {**schema, "required": required} if required else schema


def a_list(items: Schema, **more: Any) -> Schema:
    return {"type": "array", "items": items, **more}
