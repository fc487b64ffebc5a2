"""What an attempt to send can come to."""

from __future__ import annotations


class NotSent(Exception):
    """The message says why; `is_final` if another attempt cannot succeed, `is_refused` if settings of the stack refuse
    it."""

    def __init__(self, message: str, *, is_final: bool = False, is_refused: bool = False) -> None:
        super().__init__(message)
        self.is_final, self.is_refused = is_final, is_refused
