"""Values in PHP's serialized form, from which row ids are computed: `i:1;`, `s:2:"ab";`, `a:1:{i:0;N;}`."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from penstock.extractor.base.numbers import Float, serialized_float
from penstock.extractor.base.values import as_map

_INTEGERS = range(-(2**63), 2**63)
_MAX_INTEGER_LENGTH = 20


class ConfigMap(dict[str, Any]):
    """A map of the configuration, which the original does not distinguish from a list."""


def serialize(value: Any) -> str:
    return _WRITERS[type(value)](value)


def serialize_number(source: str) -> str:
    """Serializes a number given as source text; empty for an empty text."""
    is_whole = source.removeprefix("-").isdecimal()
    return _integer(int(source)) if is_whole else f"d:{serialized_float(source)};" if source else ""


def _text(value: str) -> str:
    size = len(value) if value.isascii() else len(value.encode())
    return f's:{size}:"{value}";'


serialize_key = lru_cache(4096)(_text)  # records repeat their keys, which are half of the texts


def _integer(value: int) -> str:
    # The original reads an integer beyond 64 bits as a float.
    return f"i:{value};" if value in _INTEGERS else f"d:{serialized_float(value)};"


def _list(value: list[Any]) -> str:
    items = "".join([f"i:{index};{serialize(item)}" for index, item in enumerate(value)])
    return f"a:{len(value)}:{{{items}}}"


def _object(value: dict[str, Any]) -> str:
    members = "".join([serialize_key(key) + _WRITERS[type(item)](item) for key, item in value.items()])
    return f'O:8:"stdClass":{len(value)}:{{{members}}}'


def serialize_config(value: Any) -> str:
    """Serializes a value of the configuration, where maps and lists are the same."""
    if not isinstance(value, (dict, list)):
        return serialize(value)
    members = as_map(value)
    text = "".join([_config_key(key) + serialize_config(item) for key, item in members.items()])
    return f"a:{len(members)}:{{{text}}}"


def is_integer_key(key: str) -> bool:
    """Returns whether PHP converts a key to an integer: without a plus, without leading zeros, within 64 bits."""
    digits = key.removeprefix("-")
    is_number = digits.isascii() and digits.isdigit() and len(key) <= _MAX_INTEGER_LENGTH
    return is_number and str(int(key)) == key and int(key) in _INTEGERS


def _config_key(key: str) -> str:
    return f"i:{key};" if is_integer_key(key) else serialize_key(key)


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
