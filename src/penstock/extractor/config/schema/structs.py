"""JSON schemas of settings that are declared in structs."""

from __future__ import annotations

import types
from typing import Any, Literal, Union, get_args, get_origin

import msgspec

from penstock.extractor.base.settings import Declared, list_settings
from penstock.extractor.config.schema.kinds import (
    EXACT,
    FLAG,
    MAP,
    REQUIRED_TEXT,
    SECONDS,
    TEXT,
    WHOLE,
    Schema,
    choice,
    section,
    setting,
)

_KINDS: dict[Any, Schema] = {str: TEXT, int: WHOLE, bool: FLAG, float: SECONDS}


def build_section(
    struct: type[msgspec.Struct], *, kinds: dict[str, Schema] | None = None, optional: tuple[str, ...] = ()
) -> Schema:
    """Returns the settings of a struct by their names in configurations.

    `kinds` are of settings that are read in another way than others of their type; `optional` names those without a
    default that may be absent nevertheless.
    """
    schemas, needed = dict[str, Schema](), list[str]()
    for declared in list_settings(struct):
        is_needed = declared.field.required and declared.name not in optional
        needed += [declared.name] if is_needed else []
        kind = (kinds or {}).get(declared.name) or _kind(declared, is_needed=is_needed)
        schemas[declared.name] = setting(kind, declared.setting.about, None if is_needed else _default(declared.field))
    return section(schemas, tuple(needed))


def _kind(declared: Declared, *, is_needed: bool) -> Schema:
    if declared.setting.is_exact:
        return EXACT
    return REQUIRED_TEXT if is_needed and declared.hint is str else find_kind(declared.hint)


def find_kind(hint: Any) -> Schema:
    if get_origin(hint) is Literal:
        return choice(*get_args(hint))
    if get_origin(hint) in (Union, types.UnionType):
        return find_kind(next(inner for inner in get_args(hint) if inner is not type(None)))
    return MAP if (get_origin(hint) or hint) is dict else _KINDS[hint]


def _default(field: msgspec.structs.FieldInfo) -> Any:
    return None if field.default is msgspec.NODEFAULT else field.default
