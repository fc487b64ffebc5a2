"""`numeric` in binary: groups of four digits, without those that are zero at the beginning and at the end.

The header has the number of groups, the weight of the first one, the sign, and how many digits are behind the point.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

MAX_DIGITS = 18
"""As many as fit the integers that this computes with."""
_KIND = re.compile(r"DECIMAL\((\d+),\s*(\d+)\)")
_BASE = 10_000
_PACKED = 4
"""Groups in an integer of eight bytes."""


class Numeric(NamedTuple):
    sql: str
    steps: tuple[tuple[str, ...], ...]
    """As those of a Binary."""


def find_numeric(name: str, column: str, kind: str) -> Numeric | None:
    """Return None if it has too many digits. `name` begins the names of its steps."""
    found = _KIND.fullmatch(kind)
    if not found:
        return None
    width, scale = int(found[1]), int(found[2])
    before, after = -(-(width - scale) // 4), -(-scale // 4)
    if max(width, 4 * after) > MAX_DIGITS:
        return None
    digits, whole, fraction, first, last = (f"{name}_{part}" for part in ("digits", "whole", "rest", "first", "last"))
    parts = [(whole, power) for power in range(before - 1, -1, -1)]
    parts += [(fraction, power) for power in range(after - 1, -1, -1)]
    # All digits as one integer: dividing and multiplying decimals would make them wider than the machine's integers.
    steps = (
        (f"replace(abs({column})::VARCHAR, '.', '')::BIGINT AS {digits}",),
        (
            f"{digits} // {10**scale} AS {whole}",
            f"{digits} % {10**scale} * {10 ** (4 * after - scale)} AS {fraction}",
        ),
        (f"{_find_first(parts)} AS {first}", f"{_find_last(parts)} AS {last}"),
    )
    sign = f"CASE WHEN {column} < 0 THEN {0x4000 << 16} ELSE 0 END"
    weight = f"(({before - 1} - {first}) & 65535)"
    header = f"((({last} - {first} + 1) << 48) | ({weight} << 32) | {sign} | {scale})::BIGINT::BIT::BLOB"
    groups = f"({_pack_all(parts)})[{first} * 2 + 1 : {last} * 2 + 2]"
    zero = f"({scale})::BIGINT::BIT::BLOB"
    return Numeric(f"CASE WHEN {digits} = 0 THEN {zero} WHEN {digits} <> 0 THEN {header} || {groups} END", steps)


def _find_first(parts: Sequence[tuple[str, int]]) -> str:
    """The number of the first group that is not zero, from 0."""
    cases = (f"WHEN {part} >= {_BASE**power} THEN {number}" for number, (part, power) in enumerate(parts))
    return f"(CASE {' '.join(cases)} END)::BIGINT"


def _find_last(parts: Sequence[tuple[str, int]]) -> str:
    numbered = reversed(list(enumerate(parts)))
    cases = (f"WHEN {part} % {_modulus(power + 1)} <> 0 THEN {number}" for number, (part, power) in numbered)
    return f"(CASE {' '.join(cases)} END)::BIGINT"


def _pack_all(parts: Sequence[tuple[str, int]]) -> str:
    groups = [f"({part} // {_BASE**power} % {_BASE})" for part, power in parts]
    return " || ".join(_pack(groups[start : start + _PACKED]) for start in range(0, len(groups), _PACKED))


def _modulus(power: int) -> int:
    """Larger ones than the digits are of no use, and do not fit."""
    return min(_BASE**power, 10**MAX_DIGITS)


def _pack(groups: list[str]) -> str:
    shifted = [f"({each} << {48 - 16 * number})" for number, each in enumerate(groups)]
    return f"({' | '.join(shifted)})::BIGINT::BIT::BLOB"
