"""JSON schemas of settings that are declared in structs."""

from __future__ import annotations

import types
from typing import Any, Literal, Union, get_args, get_origin

import msgspec

from penstock.extractor.base.settings import Declared, settings_of
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


def section_of(
    struct: type[msgspec.Struct], *, kinds: dict[str, Schema] | None = None, optional: tuple[str, ...] = ()
) -> Schema:
    """The settings of a struct by their names in configurations.

    `kinds` are of settings that are read in another way than others of their type; `optional` names those without a
    default that may be absent nevertheless.
    """
    found, needed = dict[str, Schema](), list[str]()
    for each in settings_of(struct):
        is_needed = each.field.required and each.name not in optional
        needed += [each.name] if is_needed else []
        kind = (kinds or {}).get(each.name) or _kind(each, is_needed=is_needed)
        found[each.name] = setting(kind, each.setting.about, None if is_needed else _default(each.field))
    return section(found, tuple(needed))


def _kind(declared: Declared, *, is_needed: bool) -> Schema:
    if declared.setting.is_exact:
        return EXACT
    return REQUIRED_TEXT if is_needed and declared.hint is str else kind_of(declared.hint)


def kind_of(hint: Any) -> Schema:
    if get_origin(hint) is Literal:
        return choice(*get_args(hint))
    if get_origin(hint) in (Union, types.UnionType):
        return kind_of(next(each for each in get_args(hint) if each is not type(None)))
    return MAP if (get_origin(hint) or hint) is dict else _KINDS[hint]


def _default(field: msgspec.structs.FieldInfo) -> Any:
    return None if field.default is msgspec.NODEFAULT else field.default
