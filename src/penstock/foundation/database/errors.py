"""Errors of the database, with messages for users.

Messages of the engine contain SQL and paths, so they go only to the operator's log.
"""

from __future__ import annotations

from penstock.foundation.errors import Invalid, Unavailable

UNUSABLE = "The stack's database cannot be used now. Try again; the operator finds the reason in the log."
FULL = "The stack's database cannot be used now: the disk is full. Nothing was changed; try again when there is space."
DAMAGED = "The stack's database is damaged. The operator finds more in the log, and restores it from a backup."
UNKNOWN = "The stack's database was lost while it was saving this. Look whether it was done before you try again."


class DatabaseUnavailable(Unavailable):
    """The database cannot be used now: locked for too long, unreachable, a full disk. Nothing was changed."""


class Unstorable(Invalid):
    """PostgreSQL stores no NUL in texts and at most 32 bits in small integers; SQLite stores both."""

    code = "database.unstorable"

    def __init__(self) -> None:
        super().__init__(
            "A value cannot be stored: a text contains the character U+0000, or a number is too large. "
            "Nothing was changed."
        )
