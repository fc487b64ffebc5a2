"""From the typed settings of the extractor to JSON schema: a field is a property, its type says what it may hold."""

from __future__ import annotations

import types
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from penstock.extractor.schema.kinds import FLAG, MAP, SECONDS, TEXT, WHOLE, Schema, choice, section, setting

_KINDS: dict[Any, Schema] = {str: TEXT, int: WHOLE, bool: FLAG, float: SECONDS}


def section_of(
    struct: type[msgspec.Struct],
    about: dict[str, str],
    *,
    without: tuple[str, ...] = (),
    kinds: dict[str, Schema] | None = None,
    optional: tuple[str, ...] = (),
) -> Schema:
    """The settings of a struct by their names in configurations.

    `kinds` are those that are read in another way than others of their type; `optional` those without a default that
    may be absent nevertheless.
    """
    hints, found, needed = get_type_hints(struct), dict[str, Schema](), list[str]()
    for field in msgspec.structs.fields(struct):
        name = _camel(field.name)
        if name in without:
            continue
        kind = (kinds or {}).get(name) or kind_of(hints[field.name])
        is_needed = field.required and name not in optional
        needed += [name] if is_needed else []
        found[name] = setting(kind, about.get(name, ""), None if is_needed else _default(field))
    return section(found, tuple(needed))


def kind_of(hint: Any) -> Schema:
    if get_origin(hint) is Literal:
        return choice(*get_args(hint))
    if get_origin(hint) in (Union, types.UnionType):
        return kind_of(next(each for each in get_args(hint) if each is not type(None)))
    return MAP if (get_origin(hint) or hint) is dict else _KINDS[hint]


def _default(field: msgspec.structs.FieldInfo) -> Any:
    return None if field.default is msgspec.NODEFAULT else field.default


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))
