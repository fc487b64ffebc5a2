"""The document without its long arrays: the items of each are replaced by a mark, by which it is found again.

A mark is a text with a random number that is drawn after the response was received, so no response can contain it.
"""

from __future__ import annotations

import secrets

import msgspec

from penstock.extractor.base.decode import Decoded, NotJson, decode
from penstock.extractor.responses.large.limits import TooMuch
from penstock.extractor.responses.large.open_array import Span

_HEAD = 1 << 16


class Hole(msgspec.Struct, frozen=True):
    """The mark of an array, its end in the skeleton, how many bytes shorter it is than the items, and their spans."""

    mark: str
    end: int
    missing: int
    spans: list[Span]


class Skeleton:
    """Grows while a file is scanned."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._text = bytearray()
        self._token = secrets.token_hex(16)
        self.holes: list[Hole] = []

    def __len__(self) -> int:
        return len(self._text)

    def append(self, text: bytes) -> None:
        self._text += text

    def cut(self, size: int) -> None:
        """Removes the beginning of an array that turned out to be long."""
        del self._text[size:]

    def leave_out(self, spans: list[Span]) -> None:
        mark = f"{self._token}:{len(self.holes)}"
        self._text += b'"%s"' % mark.encode()
        missing = spans[-1].end - spans[0].start - len(mark) - 2
        self.holes.append(Hole(mark, len(self), missing, spans))

    def check(self, size: int) -> None:
        if size > self._limit:
            raise TooMuch(f"without its long arrays it is still larger than {self._limit:,} bytes.")

    def decode(self) -> Decoded:
        """Raises NotJson with the offset in the file."""
        try:
            return decode(bytes(self._text))
        except NotJson as error:
            raise self._placed(error) from error

    def check_head(self) -> None:
        """Raises NotJson if the beginning is not valid JSON: a better message than one about the size."""
        head = bytes(self._text[:_HEAD])
        try:
            decode(head)
        except NotJson as error:
            if error.at < len(head):  # otherwise it is only cut off
                raise self._placed(error) from error

    def _placed(self, error: NotJson) -> NotJson:
        missing = sum(hole.missing for hole in self.holes if hole.end <= error.at)
        return NotJson(str(error), error.at + missing, error.family)
