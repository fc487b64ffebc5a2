"""The models of requests, looked through: which fields they have, and what those hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import inspect


def fields_of(model: type[Any] | None) -> tuple[inspect.Field, ...]:
    """Those of the model itself; none of a row that takes nothing."""
    found = inspect.type_info(model) if model else None
    return found.fields if isinstance(found, inspect.StructType) else ()


def list_fields(found: inspect.Type) -> Iterator[str]:
    """The names of all fields, those of inner models too."""
    match found:
        case inspect.StructType(fields=fields):
            for field in fields:
                yield field.encode_name
                yield from list_fields(field.type)
        case inspect.UnionType(types=types):
            for each in types:
                yield from list_fields(each)
        case inspect.CollectionType(item_type=inner) | inspect.DictType(value_type=inner):
            yield from list_fields(inner)
        case inspect.Metadata(type=inner):
            yield from list_fields(inner)
        case _:
            return
