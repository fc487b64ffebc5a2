"""Finds the long arrays of a JSON file, and what is around them, in one pass, a chunk at a time.

Only arrays that are not inside another one are considered. Their items are only counted: commas between items, and
brackets to know which commas those are. Everything else goes into the skeleton, and so does an array that turns out
to be short.
"""

from __future__ import annotations

from pathlib import Path

from penstock.extractor.base.decode import NotJson
from penstock.extractor.responses.large.limits import Limits, TooMuch
from penstock.extractor.responses.large.open_array import OpenArray
from penstock.extractor.responses.large.patterns import (
    BACKSLASH,
    BRACKET,
    COMMA,
    OPENING,
    QUOTE,
    item_matcher,
    skip_foreign,
    skip_inside,
    skip_nested,
    skip_values,
)
from penstock.extractor.responses.large.skeleton import Skeleton


class CutText:
    """Whether the last chunk ended inside a string, and whether after a backslash."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._size = 0
        self._is_open = self._is_escaped = False

    def begin(self, chunk: bytes, position: int) -> int:
        """Starts after the opening quote of a string that does not end in this chunk."""
        self._is_open, self._size = True, 0
        return self.resume(chunk, position)

    def resume(self, chunk: bytes, position: int = 0) -> int:
        """Returns where the cut string ends in this chunk: after its closing quote, or at the end of the chunk."""
        if not self._is_open:
            return position
        end = self._follow(chunk, position)
        self._size += end - position
        if self._size > self._limit:
            raise TooMuch(f"it holds a text of more than {self._limit:,} bytes.")
        return end

    def _follow(self, chunk: bytes, position: int) -> int:
        if self._is_escaped:
            position = skip_foreign(chunk, position) + 1
            if position > len(chunk):
                return len(chunk)
        end = skip_inside(chunk, position)
        self._is_escaped = chunk[end : end + 1] == bytes([BACKSLASH])
        self._is_open = chunk[end : end + 1] != bytes([QUOTE])
        return len(chunk) if self._is_open else end + 1


def scan(path: Path, limits: Limits) -> Skeleton:
    """Raises TooMuch, or NotJson if the file is found not to be JSON."""
    scanner = Scanner(limits)
    try:
        with path.open("rb", buffering=0) as file:
            while chunk := file.read(limits.chunk):
                scanner.feed(chunk)
        return scanner.finish()
    except TooMuch:
        scanner.skeleton.check_head()
        raise


class Scanner:
    """Positions are counted in the chunk, places in the file."""

    def __init__(self, limits: Limits) -> None:
        self.skeleton = Skeleton(limits.skeleton)
        self._limits = limits
        self._text = CutText(limits.text)
        self._array: OpenArray | None = None
        self._size_before = 0
        """The size of the skeleton when the array began."""
        self._depth = 0
        self._base = 0
        """The offset of the chunk in the file."""
        self._copied = 0
        """Up to this position, the chunk has been copied to the skeleton or left out."""

    def feed(self, chunk: bytes) -> None:
        self._copied = 0
        position = self._text.resume(chunk)
        while position < len(chunk):
            position = self._skip(chunk, position)
            if position < len(chunk):
                position = self._turn(chunk, position)
        self._end_chunk(chunk)
        self._base += len(chunk)

    def finish(self) -> Skeleton:
        """An array that is still open is a syntax error, which decoding the skeleton reports."""
        if self._array and self._array.is_long:
            self.skeleton.leave_out(self._array.close(self._base))
        self.skeleton.check(len(self.skeleton))
        return self.skeleton

    def _skip(self, chunk: bytes, position: int) -> int:
        """Advances to the next character that matters at this depth."""
        if self._array is None:
            return skip_values(chunk, position)
        if self._depth > self._array.depth:
            return skip_nested(chunk, position)
        return self._skip_items(chunk, position, self._array)

    def _skip_items(self, chunk: bytes, position: int, array: OpenArray) -> int:
        count, item, room = 0, position, array.room - self._base
        match_item = item_matcher()
        while match := match_item(chunk, position):
            position = match.end()
            if chunk[position : position + 1] != COMMA:
                break
            count, position = count + 1, position + 1
            item = position
            if item > room:
                array.separate(count, self._base + item)
                count, room = 0, array.room - self._base
        if count:
            array.separate(count, self._base + item)
        return position

    def _turn(self, chunk: bytes, position: int) -> int:
        sign = chunk[position]
        if sign == QUOTE:
            return self._text.begin(chunk, position + 1)
        if sign in OPENING:
            self._open(chunk, position)
        else:
            self._close(chunk, position)
        return position + 1

    def _open(self, chunk: bytes, position: int) -> None:
        self._depth += 1
        if self._depth > self._limits.depth:
            raise NotJson("it is nested too deeply", self._base + position, "Maximum stack depth exceeded")
        if self._array is None and chunk[position] == BRACKET:
            self._keep(chunk, position + 1)
            self._size_before = len(self.skeleton)
            self._array = OpenArray(self._base + position + 1, self._depth, self._limits)

    def _close(self, chunk: bytes, position: int) -> None:
        self._depth -= 1
        array = self._array
        if array is None or self._depth >= array.depth:
            return
        self._array, spans = None, array.close(self._base + position)
        if array.is_long:
            self.skeleton.cut(self._size_before)
            self.skeleton.leave_out(spans)
            self._copied = position

    def _end_chunk(self, chunk: bytes) -> None:
        if self._array:
            self._array.reach(self._base + len(chunk))
        if self._array and self._array.is_long:
            self.skeleton.cut(self._size_before)
        else:
            self._keep(chunk, len(chunk))
        self.skeleton.check(self._size_before if self._array else len(self.skeleton))

    def _keep(self, chunk: bytes, position: int) -> None:
        self.skeleton.append(chunk[self._copied : position])
        self._copied = position
