"""The settings of a component, with examples."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from penstock.client import Client
from penstock.mcp.paging import Next, Offset, piece
from penstock.mcp.tool import Arguments, Output
from penstock.mcp.tools.views import ComponentId


class ComponentWish(Arguments, frozen=True):
    component_id: ComponentId
    what: Annotated[
        Literal["documentation", "schema", "row schema"],
        msgspec.Meta(description="Documentation has all settings and examples; a schema is JSON Schema."),
    ] = "documentation"
    offset: Offset = 0


class ComponentPart(Output, frozen=True):
    component_id: str
    name: str
    type: str
    text: str
    next: Next | None = None


def get_component(client: Client, arguments: ComponentWish) -> ComponentPart:
    """Documentation of a component with all settings and examples, or the JSON Schema of its configurations.

    Read it before you create or change a configuration. Long texts come in parts. Example: {"component_id":
    "ex-generic-v2"}"""
    component = client.components.get(arguments.component_id)
    texts = {
        "documentation": lambda: component.long_description or component.description,
        "schema": lambda: msgspec.json.encode(component.editor_schema or component.configuration_schema).decode(),
        "row schema": lambda: msgspec.json.encode(component.configuration_row_schema).decode(),
    }
    text, following = piece(texts[arguments.what](), arguments.offset)
    return ComponentPart(component_id=component.id, name=component.name, type=component.type, text=text, next=following)
