"""Progress of a transfer, on stderr and only if that is a terminal."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Self

_SECONDS = 0.2
_UNITS = ("B", "kB", "MB", "GB", "TB")


class TransferProgress:
    """`with TransferProgress("Loading", total) as progress: … progress.add(1024)`; the line is removed at the end."""

    def __init__(self, what: str, total: int | None = None) -> None:
        self._what, self._total = what, total
        self._done, self._shown_at = 0, 0.0
        self._started = time.monotonic()
        self._is_shown = sys.stderr.isatty()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shown_at:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def add(self, size: int) -> None:
        self._done += size
        now = time.monotonic()
        if self._is_shown and now - self._shown_at >= _SECONDS:
            self._shown_at = now
            print(f"\r\x1b[K{self._line(now)}", end="", file=sys.stderr, flush=True)

    def _line(self, now: float) -> str:
        of_all = f" of {show_size(self._total)} ({100 * self._done // self._total}%)" if self._total else ""
        rate = self._done / max(now - self._started, 0.001)
        return f"{self._what}: {show_size(self._done)}{of_all}, {show_size(int(rate))}/s"


def show_size(size: int) -> str:
    amount, unit = float(size), 0
    while amount >= 1000 and unit < len(_UNITS) - 1:
        amount, unit = amount / 1000, unit + 1
    return f"{size} B" if unit == 0 else f"{amount:.1f} {_UNITS[unit]}"
