"""Escapes of JSON and similar strings, of URLs, and of HTML; and the line breaks in base64."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

import msgspec

from penstock.foundation.redaction.pieces import Piece

_LETTERS = {b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t"}
_HIGHEST = 0x10FFFF
_TOKENS_KEPT = 4096


class Escapes(msgspec.Struct, frozen=True):
    """One kind of escape: the character that begins it, its pattern, and what an escape decodes to."""

    lead: bytes
    pattern: bytes
    """Its one group is the whole escape, so that `split` keeps it."""
    decode_one: Callable[[bytes], bytes]

    def decode(self, content: bytes) -> bytes:
        """Decodes one level: what is escaped twice becomes an escape. Split and joined, which is faster than `sub`."""
        if self.lead not in content:
            return content
        parts = re.split(self.pattern, content)
        parts[1::2] = map(self.decode_one, parts[1::2])
        return b"".join(parts)

    def pieces(self, content: bytes) -> list[Piece]:
        """Which byte of the decoded content each escape became."""
        pieces: list[Piece] = []
        shrunk = 0
        for match in re.finditer(self.pattern, content):
            (source, end), size = match.span(), len(self.decode_one(match[0]))
            pieces.append(Piece(source - shrunk, size, source, end - source, end))
            shrunk += end - source - size
        return pieces


@lru_cache(_TOKENS_KEPT)
def _backslash(token: bytes) -> bytes:
    r"""`\/` `\"` `\n` `\u002F`, and `\xc3` for a byte."""
    if len(token) == 2:
        return _LETTERS.get(token[1:], token[1:])
    code = int(token[2:], 16)
    return bytes([code]) if token[1:2] == b"x" else _utf8(code)


@lru_cache(_TOKENS_KEPT)
def _percent(token: bytes) -> bytes:
    """`%2F` for a byte, `%u002F` for a character."""
    return _utf8(int(token[2:], 16)) if token[1:2] in b"uU" else bytes([int(token[1:], 16)])


@lru_cache(_TOKENS_KEPT)
def _entity(token: bytes) -> bytes:
    """`&#47;` `&#x2F;` `&sol;`."""
    if token[1:2] != b"#":
        from html.entities import html5  # only here: 2,231 names are a noticeable part of a short run

        return html5.get(token[1:].decode(), token.decode()).encode()
    is_hex = token[2:3] in b"xX"
    code = int(token[3:-1], 16) if is_hex else int(token[2:-1])
    return _utf8(code) if code <= _HIGHEST else token


def _utf8(code: int) -> bytes:
    return chr(code).encode("utf-8", "surrogatepass")


_BACKSLASH = rb"(\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[bfnrt]|[^\w\s]))"
_PERCENT = rb"(%(?:[0-9a-fA-F]{2}|[uU][0-9a-fA-F]{4}))"
_ENTITY = rb"(&(?:#0{0,16}[0-9]{1,7}|#[xX]0{0,16}[0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});)"
ESCAPES = (
    Escapes(b"\\", _BACKSLASH, _backslash),
    Escapes(b"%", _PERCENT, _percent),
    Escapes(b"&", _ENTITY, _entity),
)
LINE_BREAKS = Escapes(b"\n", rb"([\r\n][\r\n\t ]*)", lambda _: b"")
"""Base64 is often written in lines of 64 or 76 characters, and the lines may be indented: the breaks mean nothing."""
