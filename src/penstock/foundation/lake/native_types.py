"""Types under the names that Storage shows, which are those of Snowflake, and under those of the engine."""

from __future__ import annotations

import re

import msgspec

from penstock.foundation.lake.types import TEXT

_ENGINE_TYPES = {
    "FLOAT": "DOUBLE",
    "BOOLEAN": "BOOLEAN",
    "DATE": "DATE",
    "TIME": "TIME",
    "TIMESTAMP_NTZ": "TIMESTAMP",
    "TIMESTAMP_LTZ": "TIMESTAMPTZ",
    "TIMESTAMP_TZ": "TIMESTAMPTZ",
}
_INTEGERS = {f"{sign}{size}" for sign in ("", "U") for size in ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")}
_LENGTH = re.compile(r"[0-9]{1,2}(,[0-9]{1,2})?")
_DECIMAL = re.compile(r"DECIMAL\(([0-9]+),([0-9]+)\)")


class NativeType(msgspec.Struct, frozen=True):
    """A type as manifests of tables have it: the name in Storage, and the name that every engine knows."""

    type: str
    base: str
    length: str = ""

    @property
    def data_type(self) -> dict[str, dict[str, str]]:
        length = {"length": self.length} if self.length else {}
        return {"base": {"type": self.base, **length}, "snowflake": {"type": self.type, **length}}


_NATIVE_TYPES = {
    "BOOLEAN": NativeType("BOOLEAN", "BOOLEAN"),
    "DATE": NativeType("DATE", "DATE"),
    "TIME": NativeType("TIME", "STRING"),
    "FLOAT": NativeType("FLOAT", "FLOAT"),
    "DOUBLE": NativeType("FLOAT", "FLOAT"),
    "TIMESTAMP": NativeType("TIMESTAMP_NTZ", "TIMESTAMP"),
    "TIMESTAMP_S": NativeType("TIMESTAMP_NTZ", "TIMESTAMP"),
    "TIMESTAMP_MS": NativeType("TIMESTAMP_NTZ", "TIMESTAMP"),
    "TIMESTAMP WITH TIME ZONE": NativeType("TIMESTAMP_TZ", "TIMESTAMP"),
}
_INTEGER, _TEXT = NativeType("NUMBER", "INTEGER", "38,0"), NativeType("VARCHAR", "STRING")


def to_engine_type(name: str, length: str | None) -> str:
    """The engine's type for a type of Storage; types that the engine lacks are stored as text."""
    if name == "NUMBER":
        known = (length or "").replace(" ", "")
        return f"DECIMAL({known})" if _LENGTH.fullmatch(known) else "DECIMAL(38,0)"
    return _ENGINE_TYPES.get(name, TEXT)


def to_native_type(engine_type: str) -> NativeType:
    """The type of Storage that holds all values of a type of the engine; text for all that Storage lacks, also for
    timestamps with nanoseconds."""
    if engine_type in _INTEGERS:
        return _INTEGER
    if decimal := _DECIMAL.fullmatch(engine_type):
        length = f"{decimal[1]},{decimal[2]}"
        return _INTEGER if length == _INTEGER.length else NativeType("NUMBER", "NUMERIC", length)
    return _NATIVE_TYPES.get(engine_type, _TEXT)
