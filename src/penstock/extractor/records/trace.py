"""Recognizes a response that equals the one before, digit for digit; white space and escapes do not count.

Two pages mostly differ within their first bytes, which decides without decoding anything.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from hashlib import blake2b
from typing import Any

import msgspec

from penstock.extractor.base.decode import decode
from penstock.extractor.base.json_text import exact_chunks

START = 1 << 16
"""How many bytes of a body in a file are compared before all of it is read again."""
_FIRST_BLOCK = 64
_MAX_ESCAPE_LENGTH = 6
_SPACE = b" \t\r\n"


class Trace(msgspec.Struct, frozen=True, dict=True):
    """What is needed to recognise a page again, without holding its records in memory."""

    body: bytes
    """Its JSON text; for a body in a file, a digest of its bytes."""
    count: int
    start: bytes
    """Its JSON text, or the beginning of it."""
    reread: Callable[[], Any] | None = None

    def repeats(self, previous: Trace | None) -> bool:
        """Returns whether the response equals the one before."""
        if previous is None or self.count != previous.count:
            return False
        is_comparable = (self.reread is None) == (previous.reread is None)
        if is_comparable and self.body == previous.body:
            return True
        return not differ(self.start, previous.start) and self.digest == previous.digest

    @cached_property
    def digest(self) -> bytes:
        """Returns a digest of the decoded response, with its numbers as they were sent."""
        if not self.body or self.body.isspace():
            return b""
        document = self.reread() if self.reread else decode(self.body).document
        digest = blake2b(digest_size=16)
        for chunk in exact_chunks(document):
            digest.update(chunk.encode())
        return digest.digest()


def differ(one: bytes, other: bytes) -> bool:
    """Returns whether texts that begin so are certainly different JSON, by the first byte that is not the same.

    What is before that byte is the same, and so has the same meaning in both."""
    at = _common_length(one, other)
    if at == min(len(one), len(other)):
        return False
    pair = one[at : at + 1] + other[at : at + 1]
    if b"\\" in pair or _is_in_escape(one, at):
        return False
    has_space = any(space in pair for space in _SPACE)
    return not has_space or _is_in_text(one[:at])


def _common_length(one: bytes, other: bytes) -> int:
    """Returns how many bytes at the beginning are the same."""
    start, size, end = 0, _FIRST_BLOCK, min(len(one), len(other))
    while start < end and one[start : start + size] == other[start : start + size]:
        start, size = start + size, 2 * size
    low, high = min(start, end), min(start + size, end)
    while low < high:
        middle = (low + high + 1) // 2
        if one[start:middle] == other[start:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _is_in_escape(text: bytes, at: int) -> bool:
    """Returns whether the byte may belong to an escape that begins before it."""
    begin = text.rfind(b"\\", max(at - _MAX_ESCAPE_LENGTH + 1, 0), at)
    return begin >= 0 and (at == begin + 1 or text[begin + 1 : begin + 2] == b"u")


def _is_in_text(before: bytes) -> bool:
    """Returns whether what follows is inside quotes."""
    return before.replace(b"\\\\", b"").replace(b'\\"', b"").count(b'"') % 2 == 1
