"""Values in PHP's serialized form, which identifies rows: `i:1;`, `s:2:"ab";`, `a:1:{i:0;N;}`."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from penstock.extractor.numbers import Float, serialized_float
from penstock.extractor.records.columns import NONE, Column
from penstock.extractor.values import as_map

_INTEGERS = range(-(2**63), 2**63)
_LONGEST_INTEGER = 20


class ConfigMap(dict[str, Any]):
    """A map of the configuration, which the original does not tell from a list."""


def serialize(value: Any) -> str:
    return _WRITERS[type(value)](value)


def serialize_column(column: Column, start: str = "") -> list[str]:
    """Every value of a column; `start` goes before each. Like values take some 60 % of the time of one by one."""
    kinds = column.kinds.keys() - {NONE}
    writer = _COLUMN_WRITERS.get(next(iter(kinds))) if len(kinds) == 1 else None
    if writer is None:
        return [start + serialize(value) for value in column.values]
    texts = writer(column, start)
    if NONE not in column.kinds:
        return texts
    return [start + "N;" if value is None else text for value, text in zip(column.values, texts, strict=True)]


def _texts(column: Column, start: str) -> list[str]:
    values: list[str] = [value or "" for value in column.values]
    if "".join(values).isascii():
        return [f'{start}s:{len(value)}:"{value}";' for value in values]
    return [f'{start}s:{len(value) if value.isascii() else len(value.encode())}:"{value}";' for value in values]


def _integers(column: Column, start: str) -> list[str]:
    values: list[int] = [value or 0 for value in column.values]
    if min(values) in _INTEGERS and max(values) in _INTEGERS:
        return [f"{start}i:{value};" for value in values]
    return [start + _integer(value) for value in values]


def _objects(column: Column, start: str) -> list[str]:
    if len(column.shapes) != 1 or () in column.shapes:
        return [start + serialize(value) for value in column.values]
    starts = [_key(key) for key in column.members]
    starts[0] = f'{start}O:8:"stdClass":{len(starts)}:{{{starts[0]}'
    parts = [serialize_column(*each) for each in zip(column.members.values(), starts, strict=True)]
    return [f"{text}}}" for text in map("".join, zip(*parts, strict=True))]


def _lists(column: Column, start: str) -> list[str]:
    texts = iter(serialize_column(column.listed))
    lists: list[list[Any]] = [value or [] for value in column.values]
    return [
        f"{start}a:{len(items)}:{{{''.join([f'i:{index};{next(texts)}' for index in range(len(items))])}}}"
        for items in lists
    ]


_COLUMN_WRITERS: dict[type, Callable[[Column, str], list[str]]] = {
    str: _texts,
    int: _integers,
    bool: lambda column, start: [start + ("b:1;" if value else "b:0;") for value in column.values],
    dict: _objects,
    list: _lists,
}


def _text(value: str) -> str:
    size = len(value) if value.isascii() else len(value.encode())
    return f's:{size}:"{value}";'


_key = lru_cache(4096)(_text)  # records repeat their keys: half the texts need no work


def _integer(value: int) -> str:
    # The original reads what does not fit 64 bits as a float.
    return f"i:{value};" if value in _INTEGERS else f"d:{serialized_float(value)};"


def _list(value: list[Any]) -> str:
    items = "".join([f"i:{index};{serialize(item)}" for index, item in enumerate(value)])
    return f"a:{len(value)}:{{{items}}}"


def _object(value: dict[str, Any]) -> str:
    members = "".join([_key(key) + _WRITERS[type(item)](item) for key, item in value.items()])
    return f'O:8:"stdClass":{len(value)}:{{{members}}}'


def serialize_config(value: Any) -> str:
    """A value of the configuration, where maps and lists are one."""
    if not isinstance(value, (dict, list)):
        return serialize(value)
    members = as_map(value)
    text = "".join([_config_key(key) + serialize_config(item) for key, item in members.items()])
    return f"a:{len(members)}:{{{text}}}"


def is_integer_key(key: str) -> bool:
    """Whether PHP turns a key into a number: no sign but a minus, no leading zeros, 64 bits."""
    digits = key.removeprefix("-")
    is_number = digits.isascii() and digits.isdigit() and len(key) <= _LONGEST_INTEGER
    return is_number and str(int(key)) == key and int(key) in _INTEGERS


def _config_key(key: str) -> str:
    return f"i:{key};" if is_integer_key(key) else _key(key)


_WRITERS: dict[type, Callable[[Any], str]] = {
    type(None): lambda _value: "N;",
    bool: lambda value: "b:1;" if value else "b:0;",
    int: _integer,
    Float: lambda value: f"d:{serialized_float(value)};",
    float: lambda value: f"d:{serialized_float(repr(value))};",
    str: _text,
    list: _list,
    dict: _object,
    ConfigMap: serialize_config,
}
