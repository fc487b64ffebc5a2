"""Values of parameters in the binary formats of PostgreSQL, as texts."""

from __future__ import annotations

import struct
from collections.abc import Callable, Generator
from datetime import datetime, timedelta
from uuid import UUID

from penstock.pgwire import types
from penstock.pgwire.binary import DAY

_EPOCH = datetime(2000, 1, 1)
_LAST, _FIRST = 2**63 - 1, -(2**63)


def _unpacker(form: str) -> Callable[[bytes], str]:
    return lambda value: str(struct.unpack(form, value)[0])


def _decode_date(value: bytes) -> str:
    (days,) = struct.unpack(">i", value)
    if days in (2**31 - 1, -(2**31)):
        return "infinity" if days > 0 else "-infinity"
    return (_EPOCH + timedelta(days=days)).date().isoformat()


def _decode_timestamp(value: bytes) -> str:
    (count,) = struct.unpack(">q", value)
    if count in (_LAST, _FIRST):
        return "infinity" if count > 0 else "-infinity"
    return (_EPOCH + timedelta(microseconds=count)).isoformat(" ")


def _decode_time(value: bytes) -> str:
    (count,) = struct.unpack(">q", value)
    if not 0 <= count <= DAY:
        raise ValueError
    seconds, fraction = divmod(count, 1_000_000)
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.{fraction:06}"


def _decode_timetz(value: bytes) -> str:
    (west,) = struct.unpack(">i", value[8:])
    hours, rest = divmod(abs(west), 3600)
    return f"{_decode_time(value[:8])}{'-' if west > 0 else '+'}{hours:02}:{rest // 60:02}"


def _decode_interval(value: bytes) -> str:
    count, days, months = struct.unpack(">qii", value)
    return f"{months} months {days} days {count} microseconds"


def _decode_numeric(value: bytes) -> str:
    count, weight, sign, scale = struct.unpack(">HhHH", value[:8])
    if sign == 0xC000:
        return "nan"
    groups = struct.unpack(f">{count}H", value[8:])
    if sign not in (0, 0x4000) or any(each > 9999 for each in groups) or scale > 1000 or abs(weight) > 1000:
        raise ValueError
    text = "".join(f"{each:04}" for each in groups)
    whole = text[: 4 * (weight + 1)].ljust(4 * (weight + 1), "0") if weight >= 0 else ""
    fraction = "0" * max(0, -4 * (weight + 1)) + text[max(0, 4 * (weight + 1)) :]
    number = f"{whole.lstrip('0') or '0'}.{fraction.ljust(scale, '0')[:scale]}".rstrip(".")
    return f"-{number}" if sign else number


def _decode_json(value: bytes) -> str:
    if value[:1] != b"\1":
        raise ValueError
    return value[1:].decode()


_DECODERS: dict[int, Callable[[bytes], str]] = {
    types.BOOL: _unpacker(">?"),
    types.INT2: _unpacker(">h"),
    types.INT4: _unpacker(">i"),
    types.INT8: _unpacker(">q"),
    types.OID: _unpacker(">I"),
    types.FLOAT4: _unpacker(">f"),
    types.FLOAT8: _unpacker(">d"),
    types.BYTEA: lambda value: f"\\x{value.hex()}",
    types.DATE: _decode_date,
    types.TIME: _decode_time,
    types.TIMETZ: _decode_timetz,
    types.TIMESTAMP: _decode_timestamp,
    types.TIMESTAMPTZ: lambda value: f"{_decode_timestamp(value)}+00".replace("infinity+00", "infinity"),
    types.INTERVAL: _decode_interval,
    types.NUMERIC: _decode_numeric,
    types.UUID: lambda value: str(UUID(bytes=value)),
    types.JSONB: _decode_json,
}


def decode_binary(oid: int, value: bytes) -> str:
    """Raises ValueError, struct.error or OverflowError if it is not a value of the type."""
    return _DECODERS[oid](value) if oid in _DECODERS else value.decode()


def decode_array(value: bytes) -> Generator[tuple[int, bytes | None]]:
    """The type and the bytes of each element, of an array with one dimension."""
    dimensions, _, oid = struct.unpack(">iiI", value[:12])
    if dimensions == 0:
        return
    if dimensions != 1:
        raise ValueError
    (count,) = struct.unpack(">i", value[12:16])
    position = 20
    for _ in range(count):
        (length,) = struct.unpack(">i", value[position : position + 4])
        position += 4
        if length < -1 or position + length > len(value):
            raise ValueError
        yield oid, None if length == -1 else value[position : position + length]
        position += max(length, 0)
