"""What can go wrong with the database, and the sentences that users read.

What the engine itself says holds SQL and paths, so that is for the operator's log alone.
"""

from __future__ import annotations

from penstock.foundation.errors import Invalid, Unavailable

UNUSABLE = "The stack's database cannot be used now. Try again; the operator finds why in the log."
FULL = "The stack's database cannot be used now: the disk is full. Nothing was changed; try again when there is room."
DAMAGED = "The stack's database is damaged. The operator finds more in the log, and restores it from a backup."
UNKNOWN = "The stack's database was lost while it was saving this. Look whether it was done before you try again."


class DatabaseUnavailable(Unavailable):
    """The database cannot take this now: locked for too long, out of reach, a full disk. Nothing was changed."""


class Unstorable(Invalid):
    """PostgreSQL keeps no NUL in texts and no more than 32 bits in small numbers; SQLite keeps both."""

    code = "database.unstorable"

    def __init__(self) -> None:
        super().__init__(
            "A value cannot be kept: a text holds the character U+0000, or a number is too large. Nothing was changed."
        )
