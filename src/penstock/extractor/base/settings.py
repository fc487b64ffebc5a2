"""Settings declared once, as the fields of a struct: the reader of configurations and the JSON schema follow from them.

    class Link(Method, tag="link"):
        rel: Annotated[str, Setting("The relation of the link to follow.")] = "next"

The name in configurations is that of the field in camel case, the default is that of the field, and the type says how
the value is read. A field without a Setting is not a setting.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar, get_args

import msgspec

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.section import Section


class Setting(msgspec.Struct, frozen=True):
    """What the annotation of a field says about a setting."""

    about: str
    """What it means, in the JSON schema."""
    expected: str = ""
    """Of a required text: what the error message asks to set it to."""
    is_exact: bool = False
    """Of a number: whether a fraction is an error; otherwise it is cut off."""


class Declared(msgspec.Struct, frozen=True):
    """A setting of a struct: its name in configurations, the type of its field, and what is declared about it."""

    name: str
    field: msgspec.structs.FieldInfo
    hint: Any
    setting: Setting


S = TypeVar("S", bound=msgspec.Struct)


def list_settings(struct: type[msgspec.Struct]) -> Iterator[Declared]:
    for field in msgspec.structs.fields(struct):
        kind, *extras = get_args(field.type) or (None,)
        for setting in extras:
            if isinstance(setting, Setting):
                yield Declared(_camel(field.name), field, kind, setting)


def read_settings(struct: type[S], section: Section, missing: str, **own: Any) -> S:
    """Returns the struct as a section of the configuration describes it; `own` are the fields that the caller has read
    itself.

    Raises UserError: `missing` is its beginning where a required text is not set, with `{}` for the name.
    """
    declared = (setting for setting in list_settings(struct) if setting.field.name not in own)
    return struct(**own, **{setting.field.name: _read(setting, section, missing) for setting in declared})


def _read(declared: Declared, section: Section, missing: str) -> Any:
    name, default = declared.name, declared.field.default
    if declared.hint is bool:
        return section.flag(name, default)
    if declared.hint is int:
        number = section.exact(name) if declared.setting.is_exact else section.integer(name)
        return default if number is None else number
    if declared.field.required and not section.has(name):
        value = f" to {declared.setting.expected}" if declared.setting.expected else ""
        raise UserError(f"{missing.format(name)}. Set `{section.path}.{name}`{value}.")
    return section.text(name, "" if declared.field.required else default)


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))
