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
    """An object in a configuration; one that is absent is empty."""
    found = parent.get(key)
    if found is None or found == []:
        return {}
    if not isinstance(found, dict):
        raise BadConfiguration(f'"{where}.{key}" is an object in a configuration; this one has something else there.')
    return cast(dict[str, Any], found)


def read_list(parent: dict[str, Any], key: str, where: str) -> list[dict[str, Any]]:
    """A list of objects in a configuration; one that is absent is empty."""
    found = parent.get(key)
    if found is None or found == {}:
        return []
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in cast(list[Any], found)):
        raise BadConfiguration(f'"{where}.{key}" is a list of objects; this one has something else there.')
    return cast(list[dict[str, Any]], found)


def check_keys(given: dict[str, Any], known: frozenset[str], where: str) -> None:
    for key in given:
        if key not in known:
            raise UnknownOption(key, where)


def read_item(given: dict[str, Any], kind: type[T], where: str) -> T:
    """Typed, and without a key that the type does not know."""
    check_keys(given, frozenset(kind.__struct_encode_fields__), where)
    try:
        return convert(given, kind)
    except msgspec.ValidationError as error:
        raise BadConfiguration(f'"{where}" is wrong. {explain_error(error)}') from error


def convert(given: dict[str, Any], kind: type[T]) -> T:
    """Typed; raises msgspec's own error, and ignores keys that the type does not have."""
    return msgspec.convert(_regular(given, kind), kind, strict=False)


def to_text(value: Any) -> str:
    """A value as it stands in a table or in metadata."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "1" if value else "0"
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _regular(given: dict[str, Any], kind: type[msgspec.Struct]) -> dict[str, Any]:
    kept = {key: value for key, value in given.items() if value is not None}
    return {key: {} if value == [] and key in _maps(kind) else value for key, value in kept.items()}


@cache
def _maps(kind: type[msgspec.Struct]) -> frozenset[str]:
    """The keys that hold maps."""
    fields = msgspec.structs.fields(kind)
    return frozenset(field.encode_name for field in fields if field.default_factory is dict)
