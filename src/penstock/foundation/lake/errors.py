"""What can go wrong with a table: the file is bad, the table is not there, or nothing works just now."""

from __future__ import annotations

import errno

from penstock.foundation.errors import Invalid, NotFound, Unavailable
from penstock.foundation.logging import Log

VALUE_CHARACTERS = 60
_UNUSABLE = "The stack's tables cannot be used now. Try again; the operator finds why in the log."
_FULL = "The stack's tables cannot be used now: the disk is full. Nothing was changed; try again when there is room."

log = Log("lake")


class BadCsv(Invalid):
    code = "invalidData"

    def __init__(self, reason: str) -> None:
        super().__init__(f"Load error: {reason}")


class RowTooLarge(BadCsv):
    code = "rowTooLarge"

    def __init__(self, limit: int) -> None:
        super().__init__(f"A row is longer than {limit:,} bytes.")


class NoSuchTable(NotFound):
    code = "storage.tables.notFound"

    def __init__(self, name: str) -> None:
        super().__init__(f'The table "{name}" holds no data yet.')


class ColumnGone(Invalid):
    """Somebody dropped it after the request was checked."""

    code = "storage.tables.validation.columnNotExists"

    def __init__(self, name: str) -> None:
        super().__init__(f'The table "{name}" no longer has one of the columns that were asked for.')


class NoColumns(Invalid):
    def __init__(self) -> None:
        super().__init__("Ask for at least one column.")


class LakeUnavailable(Unavailable):
    """Tables cannot be used now: the disk is full, or does not answer. Nothing was changed.

    What the engine says holds SQL and paths, so it is for the operator's log alone.
    """

    def __init__(self, error: Exception) -> None:
        log.error("tables cannot be used", reason=str(error), kind=type(error).__name__)
        super().__init__(_FULL if _is_about_room(error) else _UNUSABLE)


def _is_about_room(error: Exception) -> bool:
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return True
    return any(words in str(error).lower() for words in ("no space left", "disk is full", "disk quota exceeded"))


def cut(value: str) -> str:
    """A value as a message shows it."""
    return value if len(value) <= VALUE_CHARACTERS else f"{value[:VALUE_CHARACTERS]}…"
