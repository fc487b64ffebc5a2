"""Parts of configurations and manifests, made regular and typed: what is wrong with one is said with its place.

Configurations in the wild are looser than types: `null` for absent, `[]` for `{}`, numbers as text.
"""

from __future__ import annotations

from functools import cache
from typing import Any, TypeVar, cast

import msgspec

from penstock.foundation.constraints import explain_error
from penstock.foundation.errors import Invalid

T = TypeVar("T", bound=msgspec.Struct)


class BadConfiguration(Invalid):
    """A message that says what is wrong, and where."""


class UnknownOption(BadConfiguration):
    def __init__(self, name: str, where: str) -> None:
        super().__init__(f'Unrecognized option "{name[:200]}" under "{where}"')


def read_section(parent: dict[str, Any], key: str, where: str) -> dict[str, Any]:
    """Return an object in a configuration; one that is absent is empty."""
    section = parent.get(key)
    if section is None or section == []:
        return {}
    if not isinstance(section, dict):
        raise BadConfiguration(f'"{where}.{key}" is an object in a configuration; this one has something else there.')
    return cast(dict[str, Any], section)


def read_list(parent: dict[str, Any], key: str, where: str) -> list[dict[str, Any]]:
    """Return a list of objects in a configuration; one that is absent is empty."""
    items = parent.get(key)
    if items is None or items == {}:
        return []
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in cast(list[Any], items)):
        raise BadConfiguration(f'"{where}.{key}" is a list of objects; this one has something else there.')
    return cast(list[dict[str, Any]], items)


def check_keys(document: dict[str, Any], keys: frozenset[str], where: str) -> None:
    for key in document:
        if key not in keys:
            raise UnknownOption(key, where)


def read_item(item: dict[str, Any], kind: type[T], where: str) -> T:
    """Convert an item to its type, and refuse a key that the type does not have."""
    check_keys(item, frozenset(kind.__struct_encode_fields__), where)
    try:
        return convert(item, kind)
    except msgspec.ValidationError as error:
        raise BadConfiguration(f'"{where}" is wrong. {explain_error(error)}') from error


def convert(document: dict[str, Any], kind: type[T]) -> T:
    """Convert to the type; raises msgspec's own error, and ignores keys that the type does not have."""
    return msgspec.convert(_regular(document, kind), kind, strict=False)


def to_text(value: Any) -> str:
    """Return a value as it is in a table or in metadata."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "1" if value else "0"
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _regular(document: dict[str, Any], kind: type[msgspec.Struct]) -> dict[str, Any]:
    values = {key: value for key, value in document.items() if value is not None}
    return {key: {} if value == [] and key in _maps(kind) else value for key, value in values.items()}


@cache
def _maps(kind: type[msgspec.Struct]) -> frozenset[str]:
    """Return the keys that hold maps."""
    fields = msgspec.structs.fields(kind)
    return frozenset(field.encode_name for field in fields if field.default_factory is dict)
