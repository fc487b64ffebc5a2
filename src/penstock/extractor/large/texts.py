"""A string that is cut by the end of a chunk: the state to continue in the next chunk."""

from __future__ import annotations

from penstock.extractor.large.limits import TooMuch
from penstock.extractor.large.patterns import BACKSLASH, QUOTE, skip_foreign, skip_inside


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
        """Where the cut string ends in this chunk: after its closing quote, or at the end of the chunk."""
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
