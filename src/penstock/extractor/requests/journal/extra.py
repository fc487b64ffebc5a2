"""Serializes the extra columns of a response's records without loss."""

from __future__ import annotations

from typing import Any, cast

import msgspec

from penstock.extractor.base.numbers import Float

DECIMAL, LARGE = 1, 2
"""Decimals, which are texts to Python, and integers beyond 64 bits."""
_MAX_INTEGER = 1 << 63


def pack(extra: dict[str, Any]) -> bytes:
    return msgspec.msgpack.encode(_packed(extra)) if extra else b""


def unpack(data: bytes) -> dict[str, Any]:
    return msgspec.msgpack.decode(data, type=dict[str, Any], ext_hook=_unpacked) if data else {}


def _packed(value: Any) -> Any:
    if isinstance(value, Float):
        return msgspec.msgpack.Ext(DECIMAL, value.encode())
    if isinstance(value, int) and not -_MAX_INTEGER <= value < _MAX_INTEGER:
        return msgspec.msgpack.Ext(LARGE, str(value).encode())
    if isinstance(value, dict):
        return {key: _packed(member) for key, member in cast(dict[str, Any], value).items()}
    if isinstance(value, list):
        return [_packed(item) for item in cast(list[Any], value)]
    return value


def _unpacked(code: int, data: memoryview) -> Any:
    text = bytes(data).decode()
    return Float(text) if code == DECIMAL else int(text)
