"""H12: records that are nested deeply, have very many keys, or keys of every kind."""

from __future__ import annotations

import json

from tests.e2e.hostile.faults.odd import odd, with_columns
from tests.e2e.hostile.scenario import Judge, Variant, fails

MANY = 2_000
TOO_DEEP = fails("nested too deeply|Maximum stack depth exceeded")


def _nested(depth: int) -> str:
    return ',"deep":' + '{"a":' * depth + '"bottom"' + "}" * depth


def _lists(depth: int) -> str:
    return ',"deep":' + "[" * depth + "]" * depth


def _keys(*names: str) -> str:
    return "".join(f',{json.dumps(name)}:"of {index}"' for index, name in enumerate(names))


def _values(*names: str) -> list[str]:
    return [f"of {index}" for index in range(len(names))]


def _of(name: str, members: str, outcome: Judge) -> Variant:
    return Variant(name, None, 1, outcome, data=odd(members=members), is_of_records=True)


def _of_keys(name: str, *keys: str, columns: tuple[str, ...] = ()) -> Variant:
    return _of(name, _keys(*keys), with_columns(*_values(*keys), names=columns))


VARIANTS = (
    _of("100 levels", _nested(100), with_columns("bottom")),
    _of("500 levels", _nested(500), with_columns("bottom")),
    _of("100,000 levels", _nested(100_000), TOO_DEEP),
    _of("100,000 lists in lists", _lists(100_000), TOO_DEEP),
    _of_keys("many keys", *(f"key {index}" for index in range(MANY))),
    _of_keys("an empty key", "", columns=("_u0",)),
    _of_keys("a key of 10,000 letters", "k" * 10_000),
    _of_keys("keys that differ in case", "Name", "NAME", "nAme", columns=("Name", "NAME", "nAme")),
    _of_keys("keys that differ in signs", "a.b", "a_b", "a b", columns=("a_b", "a_b_u0", "a_b_u1")),
    _of_keys("a key with a zero in it", "a\0b"),
    _of("a key that starts with zero", _keys("\0a"), fails("a name starts with the character zero")),
    _of_keys("quotes", '"', "'", "`", 'a"b'),
    _of_keys("signs and scripts", "🙂", "שלום", "\u202eevil", "=cmd()", "漢字"),
    _of_keys("words of SQL", "select", "from", "drop table", columns=("select", "from", "drop_table")),
    _of_keys("names of ours", "JSON_parentId", "__proto__", "constructor"),
)
