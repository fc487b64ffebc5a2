"""The scripts of a transformation: blocks of codes of scripts, or a plain list. Errors name their position."""

from __future__ import annotations

from typing import Any

import msgspec

from penstock.components.json_schema import TEXT, Schema, a_list, an_object

_SCRIPT: Schema = {"anyOf": [a_list(TEXT), TEXT], "description": "The code: texts that run one after another."}
_CODE = an_object(["name", "script"], name={**TEXT, "description": "What it is called."}, script=_SCRIPT)
_BLOCK = an_object(
    ["name", "codes"],
    name={**TEXT, "description": "What it is called."},
    codes=a_list(_CODE, description="Run in order."),
)
SCHEMA: Schema = {
    **an_object(
        [],
        blocks=a_list(_BLOCK, description="Run in order; blocks only group codes."),
        script={**_SCRIPT, "description": "The same without blocks; runs after them."},
    ),
    "title": "Parameters",
}
EMPTY: dict[str, Any] = {
    "parameters": {"blocks": [{"name": "Block", "codes": [{"name": "Code", "script": []}]}]},
    "storage": {"input": {"tables": []}, "output": {"tables": []}},
}
FLAGS = ("genericCodeBlocksUI", "genericDockerUI-tableInput", "genericDockerUI-tableOutput")


def example(*statements: str, **parameters: Any) -> dict[str, Any]:
    """Returns a configuration that creates `totals` from the orders of the sample API."""
    code = {"name": "Totals", "script": list(statements)}
    return {
        "parameters": {"blocks": [{"name": "Orders", "codes": [code]}], **parameters},
        "storage": {
            "input": {"tables": [{"source": "in.c-sample.orders", "destination": "orders"}]},
            "output": {"tables": [{"source": "totals", "destination": "out.c-sample.totals"}]},
        },
    }


class Code(msgspec.Struct, frozen=True):
    name: str = ""
    script: list[str] | str = []


class Block(msgspec.Struct, frozen=True):
    name: str = ""
    codes: list[Code] = []


class Script(msgspec.Struct, frozen=True):
    """The script of one code."""

    location: str
    texts: list[str]


class Transformation(msgspec.Struct, frozen=True):
    """The parameters that all transformations share."""

    blocks: list[Block] = []
    script: list[str] | str = []

    @property
    def scripts(self) -> list[Script]:
        """Lists the scripts in the order in which they run; codes without a script are left out."""
        inside = [
            Script(f'block "{block.name}", code "{code.name}"', _listed(code.script))
            for block in self.blocks
            for code in block.codes
        ]
        every = [*inside, Script("`parameters.script`", _listed(self.script))]
        return [script for script in every if script.texts]


def _listed(script: list[str] | str) -> list[str]:
    texts = [script] if isinstance(script, str) else script
    return [text for text in texts if text.strip()]
