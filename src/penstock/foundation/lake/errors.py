"""Errors of tables: an unreadable file, a missing table, or an unavailable lake."""

from __future__ import annotations

import errno
from pathlib import Path

from penstock.foundation.errors import Damaged, Invalid, NotFound, Unavailable
from penstock.foundation.logging import Log

VALUE_CHARACTERS = 60
_UNUSABLE = "The stack's tables cannot be used now. Try again; the operator finds the reason in the log."
_FULL = "The stack's tables cannot be used now: the disk is full. Nothing was changed; try again when there is space."

_LOST = (
    "The catalog of these tables is missing, although their files are there. Nothing was changed. "
    "The operator finds more with `penstock doctor`."
)
_OUTDATED = (
    "The catalog of these tables is older than what the stack has recorded of them, so rows would be missing. "
    "Nothing was changed. The operator finds more with `penstock doctor`."
)
_DAMAGED = (
    "A file of this table is damaged, so its rows cannot be read. Nothing was changed. "
    "The operator finds which file it is with `penstock doctor`, and restores it from a backup."
)
_DAMAGE = ("parquet", "magic bytes", "thrift", "tprotocol", "decompress", "snappy", "zstd")

log = Log("lake")


class BadCsv(Invalid):
    code = "invalidData"

    def __init__(self, reason: str) -> None:
        super().__init__(f"Load error: {reason}")


class RowTooLarge(BadCsv):
    code = "rowTooLarge"

    def __init__(self, limit: int) -> None:
        super().__init__(f"A row is longer than {limit:,} bytes.")


class UnpacksTooFar(BadCsv):
    code = "storage.unpacksTooFar"

    def __init__(self, packed: int, limit: int, setting: str) -> None:
        super().__init__(
            f"the compressed file, or its slices together, has {_megabytes(packed)} and unpacks to more than the "
            f"{_megabytes(limit)} that the stack allows. Load it in smaller parts, or ask the operator of the stack to "
            f"raise the setting `{setting}`."
        )


class NoSuchTable(NotFound):
    code = "storage.tables.notFound"

    def __init__(self, name: str) -> None:
        super().__init__(f'The table "{name}" has no data yet.')


class ColumnGone(Invalid):
    """The column was dropped after the request was checked."""

    code = "storage.tables.validation.columnNotExists"

    def __init__(self, name: str) -> None:
        super().__init__(f'The table "{name}" no longer has one of the requested columns.')


class NoColumns(Invalid):
    def __init__(self) -> None:
        super().__init__("Request at least one column.")


class LakeUnavailable(Unavailable):
    """Tables cannot be used now: the disk is full, or does not respond. Nothing was changed.

    Messages of the engine contain SQL and paths, so they go only to the operator's log.
    """

    def __init__(self, error: Exception) -> None:
        log.error("tables cannot be used", reason=str(error), kind=type(error).__name__)
        super().__init__(_FULL if _is_about_room(error) else _UNUSABLE)


class CatalogLost(Damaged):
    """There are files of tables, but no catalog that lists them: a new catalog would make all tables empty."""

    code = "storage.tables.lost"

    def __init__(self, folder: Path) -> None:
        log.error("the catalog of tables is missing; run `penstock doctor`", folder=str(folder))
        super().__init__(_LOST)


class CatalogOutdated(Damaged):
    """A catalog is older than the records of its tables: an old copy was put in its place."""

    code = "storage.tables.lost"

    def __init__(self, folder: Path, version: int, noted: int) -> None:
        what = "the catalog of tables is older than the database; run `penstock doctor`"
        log.error(what, folder=str(folder), version=version, noted_version=noted)
        super().__init__(_OUTDATED)


class DamagedFile(Damaged):
    """A file of a table is not what the engine wrote. The engine's message contains paths, so it goes only to the
    log."""

    code = "storage.tables.damaged"

    def __init__(self, error: Exception) -> None:
        log.error("a file of a table is damaged; run `penstock doctor`", reason=str(error))
        super().__init__(_DAMAGED)


def is_about_damage(error: Exception) -> bool:
    """Whether the engine could not read or find a Parquet file; it has no class of errors for that."""
    if _is_about_room(error):
        return False
    return any(words in str(error).lower() for words in _DAMAGE)


def _is_about_room(error: Exception) -> bool:
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return True
    return any(words in str(error).lower() for words in ("no space left", "disk is full", "disk quota exceeded"))


def _megabytes(count: int) -> str:
    return f"{count / 1_000_000:,.1f} MB".replace(".0 ", " ")


def cut(value: str) -> str:
    """Shorten a value for a message."""
    return value if len(value) <= VALUE_CHARACTERS else f"{value[:VALUE_CHARACTERS]}…"
