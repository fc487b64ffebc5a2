"""Lists of the engine as arrays of PostgreSQL, in both formats."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable

_ITEM = re.compile(r"'((?:[^'\\]|\\.)*)'|([^,\[\]]*)", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_SPECIAL = re.compile(r'(["\\])')
_PLAIN = re.compile(rb'[^\s{},"\\]+')
_ABSENT = b"\xff\xff\xff\xff"

Encoder = Callable[[str], bytes]


def read_list(text: str) -> list[str | None]:
    """The texts of the items, as the engine writes them: `[1, NULL, 'a, b']`."""
    inside, found, position = text.strip()[1:-1], list[str | None](), 0
    while position < len(inside):
        item = _ITEM.match(inside, position)
        if not item or inside[item.end() : item.end() + 2] not in ("", ", "):
            raise ValueError(text)
        quoted, bare = item.groups()
        found.append(_ESCAPED.sub(r"\1", quoted) if quoted is not None else None if bare == "NULL" else bare)
        position = item.end() + 2
    return found


def array_encoder(element: int, encode: Encoder, *, is_binary: bool) -> Encoder:
    """`encode` is for the items, whose type is `element`."""
    if is_binary:
        return lambda value: _to_binary(element, encode, read_list(value))
    return lambda value: _to_text(encode, read_list(value))


def _to_text(encode: Encoder, items: list[str | None]) -> bytes:
    return b"{" + b",".join(b"NULL" if each is None else _quote(encode(each)) for each in items) + b"}"


def _quote(item: bytes) -> bytes:
    """Quote the item where it is needed: some clients read numbers only without quotes."""
    if _PLAIN.fullmatch(item) and item.upper() != b"NULL":
        return item
    return b'"' + _SPECIAL.sub(r"\\\1", item.decode()).encode() + b'"'


def _to_binary(element: int, encode: Encoder, items: list[str | None]) -> bytes:
    if not items:
        return struct.pack(">iiI", 0, 0, element)
    head = struct.pack(">iiIii", 1, int(None in items), element, len(items), 1)
    encoded = (None if each is None else encode(each) for each in items)
    return head + b"".join(_ABSENT if each is None else struct.pack(">I", len(each)) + each for each in encoded)
