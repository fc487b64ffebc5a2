"""Limits for compressed files: a few megabytes of gzip can unpack to gigabytes that keep a worker busy for long.

Counted while the files are unpacked, over all slices of a table together.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

import msgspec

from penstock.foundation.lake.errors import UnpacksTooFar

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

MEGABYTE = 1_000_000
FREE_BYTES = 100 * MEGABYTE
"""Below this size the ratio is not checked: small files often compress very well, and take no time."""
_BUFFER = 1024 * 1024


class Unpacking(msgspec.Struct, frozen=True):
    """The settings `unpacked_megabytes` and `unpacked_ratio`; 0 means no limit."""

    megabytes: int = 100_000
    ratio: int = 250

    def limit_of(self, packed: int) -> tuple[int | None, str]:
        """The maximum unpacked size for this many bytes of gzip, and the setting that determines it."""
        by_size, by_ratio = self.megabytes * MEGABYTE, max(FREE_BYTES, self.ratio * packed)
        if self.ratio and (not by_size or by_ratio < by_size):
            return by_ratio, "unpacked_ratio"
        return (by_size, "unpacked_megabytes") if by_size else (None, "")


class Meter:
    """Counts the unpacked bytes of the files of one source. `check` is called as often, and raises to stop."""

    def __init__(self, unpacking: Unpacking, paths: list[Path], check: Callable[[], None]) -> None:
        self._packed = sum(path.stat().st_size for path in paths)
        self._limit, self._setting = unpacking.limit_of(self._packed)
        self._check, self._bytes = check, 0

    def add(self, count: int) -> None:
        self._check()
        self._bytes += count
        if self._limit is not None and self._bytes > self._limit:
            raise UnpacksTooFar(self._packed, self._limit, self._setting)


class _Metered(io.RawIOBase):
    def __init__(self, unpacked: IO[bytes], meter: Meter) -> None:
        self._unpacked, self._meter = unpacked, meter

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        with memoryview(buffer) as view:
            found = self._unpacked.read(len(view))
            view[: len(found)] = found
        self._meter.add(len(found))
        return len(found)


def metered(unpacked: IO[bytes], meter: Meter) -> IO[bytes]:
    """The same bytes, counted as they are read."""
    return cast("IO[bytes]", io.BufferedReader(_Metered(unpacked, meter), _BUFFER))
