"""Components that run nothing: others read their configurations."""

from __future__ import annotations

from penstock.components.component import Component, Runs

_PAIRS = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {"name": {"type": "string"}, "value": {"type": "string"}},
        "required": ["name"],
    },
}

VARIABLES = Component(
    id="keboola.variables",
    name="Variables",
    type="other",
    description="Names of variables, and rows with sets of their values; configurations say which they use.",
    runs=Runs.NOTHING,
    configuration_row_schema={"type": "object", "title": "Values", "properties": {"values": _PAIRS}},
    empty_configuration={"variables": []},
    empty_configuration_row={"values": []},
)

SHARED_CODE = Component(
    id="keboola.shared-code",
    name="Shared code",
    type="other",
    description="Pieces of code, one in each row, that transformations use by name.",
    runs=Runs.NOTHING,
    empty_configuration_row={"code_content": []},
)
