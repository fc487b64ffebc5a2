"""Values of parameters as SQL of the engine: a literal, with its type if the client says it."""

from __future__ import annotations

import itertools
import re
import struct
from collections.abc import Generator, Sequence

from penstock.foundation.text.quoting import quote_value
from penstock.pgwire.binary_parameters import decode_array, decode_binary
from penstock.pgwire.errors import INVALID_VALUE, LIMIT, PROTOCOL, ClientError
from penstock.pgwire.requests import Bind
from penstock.pgwire.statements import Parameter, Statement, check_length
from penstock.pgwire.types import (
    ARRAY_OF,
    ARRAYS,
    BOOL,
    BYTEA,
    DATE,
    ENGINE_TYPES,
    FLOAT4,
    FLOAT8,
    INT2,
    INT4,
    INT8,
    NUMERIC,
    OID,
    TEXT,
    TEXT_ARRAY,
    TIMESTAMP,
    TIMESTAMPTZ,
    UUID,
)

MAX_ELEMENTS = 1_000_000
"""Of an array: with more of them, no statement is short enough for the engine."""
_HEX = re.compile(r"\\x((?:[0-9A-Fa-f]{2})*)")
_NUMBER = re.compile(r"[+-]?\d+(\.\d*)?([eE][+-]?\d+)?")
_ELEMENT = re.compile(r'"((?:[^"\\]|\\.)*)"|([^,{}"\\]+)', re.DOTALL)
_CASTS = {
    **dict.fromkeys(("int", "int4", "integer"), INT4),
    **dict.fromkeys(("bigint", "int8"), INT8),
    **dict.fromkeys(("smallint", "int2", "tinyint"), INT2),
    **dict.fromkeys(("double", "float8", "float"), FLOAT8),
    **dict.fromkeys(("real", "float4"), FLOAT4),
    **dict.fromkeys(("numeric", "decimal"), NUMERIC),
    "timestamptz": TIMESTAMPTZ,
    **dict.fromkeys(("bool", "boolean"), BOOL),
    "oid": OID,
    "date": DATE,
    "timestamp": TIMESTAMP,
    "uuid": UUID,
}
_COUNTS = ("limit", "offset")
_LISTS = (("any", "("), ("all", "("), ("unnest", "("))
_CAST = re.compile(r"\s*::\s*(\w+)\b(\[\])?")


def find_types(statement: Statement, oids: Sequence[int]) -> list[int]:
    """The types of all parameters: those that the client says, those that their place in the statement says, and text
    for others, which the engine converts to what their place asks for."""
    found = [0] * max(statement.highest_parameter, len(oids))
    found[: len(oids)] = oids
    for each in statement.parameters:
        found[each.number - 1] = found[each.number - 1] or _guess(statement, each)
    return [each or TEXT for each in found]


def _guess(statement: Statement, parameter: Parameter) -> int:
    """0 if nothing beside it tells."""
    if parameter.before[-1:] and parameter.before[-1] in _COUNTS:
        return INT8
    cast = _CAST.match(statement.text, parameter.end)
    oid = _CASTS.get(cast[1].lower(), 0) if cast else 0
    if cast and cast[2]:
        return ARRAY_OF.get(oid, TEXT_ARRAY)
    return oid or (TEXT_ARRAY if parameter.before in _LISTS else 0)


def to_literals(bind: Bind, oids: Sequence[int]) -> list[str]:
    """SQL for each parameter."""
    if len(bind.values) != len(oids):
        raise ClientError(
            PROTOCOL, f"The statement has {len(oids)} parameters, and there are values for {len(bind.values)}."
        )
    # What is longer in UTF-8 has too many characters.
    check_length(sum(len(each) for each in bind.values if each is not None) // 4)
    formats = spread(bind.formats, len(oids))
    return [
        to_literal(oid, form, value, f"of parameter ${number}")
        for number, (oid, form, value) in enumerate(zip(oids, formats, bind.values, strict=True), start=1)
    ]


def to_nulls(oids: Sequence[int]) -> list[str]:
    """Return NULLs for a statement that is only described."""
    return [f"CAST(NULL AS {ENGINE_TYPES.get(oid, 'VARCHAR')})" if oid not in ARRAYS else "[NULL]" for oid in oids]


def spread(formats: Sequence[int], count: int) -> list[int]:
    """The format of each value: 0 is text, 1 is binary. One format is for all, none is text."""
    if any(each not in (0, 1) for each in formats) or len(formats) not in (0, 1, count):
        raise ClientError(PROTOCOL, "The formats of values are not valid: there is 0 for text, and 1 for binary.")
    return list(formats) if len(formats) == count else [*(formats or [0])] * count


def to_literal(oid: int, form: int, value: bytes | None, place: str) -> str:
    """`place` is of whom the value is, for an error."""
    if value is None:
        return _cast("NULL", oid)
    try:
        if oid in ARRAYS:
            return _to_list(ARRAYS[oid], form, value)
        return _literal(oid, decode_binary(oid, value) if form else value.decode())
    except (ValueError, struct.error, OverflowError) as error:
        raise ClientError(INVALID_VALUE, f"The value {place} is not valid for its type.") from error


def _literal(oid: int, text: str) -> str:
    if "\0" in text:
        raise ValueError(text)
    if oid == BYTEA and (found := _HEX.fullmatch(text)):
        return f"from_hex('{found[1]}')"
    if oid == NUMERIC and _NUMBER.fullmatch(text):
        return f"({text})"
    return _cast(quote_value(text), oid)


def _cast(literal: str, oid: int) -> str:
    return f"CAST({literal} AS {ENGINE_TYPES[oid]})" if oid in ENGINE_TYPES else literal


def _to_list(oid: int, form: int, value: bytes) -> str:
    if form:
        elements = (None if each is None else decode_binary(kind, each) for kind, each in decode_array(value))
    else:
        elements = _read_array(value.decode())
    found = list(itertools.islice(elements, MAX_ELEMENTS + 1))
    if len(found) > MAX_ELEMENTS:
        raise ClientError(LIMIT, f"An array has at most {MAX_ELEMENTS} elements. Load large data from a file.")
    items = ", ".join(_cast("NULL", oid) if each is None else _literal(oid, each) for each in found)
    return f"[{items}]"


def _read_array(text: str) -> Generator[str | None]:
    """An array with one dimension, as PostgreSQL writes it: `{1,NULL,"a b"}`."""
    inside = text.strip()
    if inside[:1] != "{" or inside[-1:] != "}":
        raise ValueError(text)
    position, inside = 0, inside[1:-1]
    while position < len(inside):
        element = _ELEMENT.match(inside, position)
        if not element or inside[element.end() : element.end() + 1] not in ("", ","):
            raise ValueError(text)
        quoted, bare = element.groups()
        yield re.sub(r"\\(.)", r"\1", quoted) if quoted is not None else _bare(bare)
        position = element.end() + 1


def _bare(text: str) -> str | None:
    return None if text.strip().upper() == "NULL" else text.strip()
