"""The log that the legacy parser writes to."""

from __future__ import annotations

from typing import Any, Protocol


class Report(Protocol):
    def debug(self, message: str, **context: Any) -> None: ...

    def warning(self, message: str, **context: Any) -> None: ...

    def error(self, message: str, **context: Any) -> None: ...
