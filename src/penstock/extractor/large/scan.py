"""Where the long arrays of a JSON file are, and what is around them: one way through the file, a chunk at a time.

An array is looked at if it is not inside another one. What is in it is only counted: commas between its items, and
brackets to know which commas those are. Everything else goes into the skeleton, and so does an array that turns out
to be short.
"""

from __future__ import annotations

from pathlib import Path

from penstock.extractor.decode import NotJson
from penstock.extractor.large.limits import Limits, TooMuch
from penstock.extractor.large.open_array import OpenArray
from penstock.extractor.large.patterns import BRACKET, COMMA, OPENING, QUOTE, item_matcher, skip_nested, skip_values
from penstock.extractor.large.skeleton import Skeleton
from penstock.extractor.large.texts import CutText


def scan(path: Path, limits: Limits) -> Skeleton:
    """Raises TooMuch, or NotJson if it is known already that this is none."""
    scanner = Scanner(limits)
    try:
        with path.open("rb", buffering=0) as file:
            while chunk := file.read(limits.chunk):
                scanner.monitor(chunk)
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
        """Of the skeleton, when the array began."""
        self._depth = 0
        self._base = 0
        """The place of the chunk."""
        self._kept = 0
        """Up to this position, the chunk is in the skeleton or left out."""

    def monitor(self, chunk: bytes) -> None:
        self._kept = 0
        position = self._text.resume(chunk)
        while position < len(chunk):
            position = self._skip(chunk, position)
            if position < len(chunk):
                position = self._turn(chunk, position)
        self._end_chunk(chunk)
        self._base += len(chunk)

    def finish(self) -> Skeleton:
        """What is still open then is a mistake, which the skeleton shows."""
        if self._array and self._array.is_long:
            self.skeleton.leave_out(self._array.close(self._base))
        self.skeleton.check(len(self.skeleton))
        return self.skeleton

    def _skip(self, chunk: bytes, position: int) -> int:
        """To the next sign that matters where we are."""
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
            self._kept = position

    def _end_chunk(self, chunk: bytes) -> None:
        if self._array:
            self._array.reach(self._base + len(chunk))
        if self._array and self._array.is_long:
            self.skeleton.cut(self._size_before)
        else:
            self._keep(chunk, len(chunk))
        self.skeleton.check(self._size_before if self._array else len(self.skeleton))

    def _keep(self, chunk: bytes, position: int) -> None:
        self.skeleton.keep(chunk[self._kept : position])
        self._kept = position
