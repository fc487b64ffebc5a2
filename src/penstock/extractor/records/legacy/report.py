"""Who hears what the legacy parser has to say: anything with the methods of a log."""

from __future__ import annotations

from typing import Any, Protocol


class Report(Protocol):
    def debug(self, message: str, **context: Any) -> None: ...

    def warning(self, message: str, **context: Any) -> None: ...

    def error(self, message: str, **context: Any) -> None: ...
