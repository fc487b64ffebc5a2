"""What a tool is: a function of a client and its arguments. Its docstring is what agents read."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, get_type_hints

import msgspec

from penstock.client import Client, ClientError
from penstock.foundation.constraints import explain_error

Run = Callable[[Client, Any], msgspec.Struct]


class Arguments(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The arguments of a tool: `msgspec.Meta` of a field has its limits, and says what it is for."""


class Output(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a tool returns. `next` are the arguments of a call that returns more."""


class InvalidArguments(ClientError):
    status = 400


class NotConfirmed(ClientError):
    status = 400

    def __init__(self, what: str) -> None:
        super().__init__(f"This would {what}. Nothing was done. Ask the user, then call again with `confirm: true`.")


class Tool(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    title: str
    description: str
    arguments: type[Arguments]
    run: Run
    changes: bool
    """Whether it changes something, or sends something to other hosts. Callers who only read do not see it."""
    is_destructive: bool
    """Whether something is lost. Its arguments have `confirm`."""
    is_open_world: bool
    """Whether it reaches hosts outside of the stack."""

    @property
    def input_schema(self) -> dict[str, Any]:
        """The JSON Schema of its arguments, with an object at the root."""
        (root,), parts = msgspec.json.schema_components([self.arguments], ref_template="#/$defs/{name}")
        own = parts.pop(root["$ref"].rpartition("/")[2])
        own = {key: value for key, value in own.items() if key not in ("title", "description")}
        return {**own, "$defs": parts} if parts else own

    def read_arguments(self, values: dict[str, Any]) -> Arguments:
        try:
            return msgspec.convert(values, self.arguments)
        except msgspec.ValidationError as error:
            raise InvalidArguments(f"The arguments of {self.name} are not valid. {explain_error(error)}") from error


def tool(run: Run, *, changes: bool = False, is_destructive: bool = False, is_open_world: bool = False) -> Tool:
    """A tool that is called as its function is."""
    name = run.__name__
    return Tool(
        name=name,
        title=name.replace("_", " ").capitalize(),
        description=inspect.getdoc(run) or "",
        arguments=get_type_hints(run)["arguments"],
        run=run,
        changes=changes or is_destructive,
        is_destructive=is_destructive,
        is_open_world=is_open_world,
    )
