"""What can go wrong before a tool is called."""

from __future__ import annotations

from penstock.foundation.errors import AppError, Forbidden


class ForeignOrigin(Forbidden):
    def __init__(self, origin: str) -> None:
        super().__init__(
            f'A page of "{origin}" may not use this server. Use a program as the client, or a page of this stack.'
        )


class TooManyCalls(AppError):
    status = 429
    retry_after = 1

    def __init__(self, most: int, what: str = "calls of tools") -> None:
        super().__init__(f"This project has {most} {what} at a time, and not more. Wait until one has ended.")
