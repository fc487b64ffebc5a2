"""Which key a backup needs, and whether a restored stack would have it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from penstock.foundation.ids import sequences
from penstock.foundation.secrets import KeyRing
from penstock.foundation.stack.fingerprints import NAME
from penstock.server.backups.archive import BackupFailed

_FINGERPRINT = f"SELECT value FROM {sequences.name} WHERE name = ?"


class WrongKeyForBackup(BackupFailed):
    def __init__(self, archive: Path, key: str, advice: str) -> None:
        super().__init__(
            f"{key} is not the key that the secrets in {archive} were encrypted with. Nothing was restored. {advice}"
        )


def read_fingerprint(metadata: Path) -> int | None:
    """The fingerprint of the key for the secrets in a database; None if it is older than fingerprints."""
    with closing(sqlite3.connect(f"file:{metadata}?mode=ro", uri=True)) as database:
        try:
            row = database.execute(_FINGERPRINT, (NAME,)).fetchone()
        except sqlite3.OperationalError:  # older than the table
            return None
    return int(row[0]) if row else None


def check_given(archive: Path, fingerprint: int | None, key: Path, *, has_own: bool) -> None:
    """Check the key that the operator gave for the restored stack."""
    if fingerprint is not None and not KeyRing.read(key).has(fingerprint):
        own = "The backup contains its own: leave out --key-file and the setting key_file." if has_own else ""
        advice = own or "Name the file of the right one: --key-file FILE"
        raise WrongKeyForBackup(archive, f"The key at {key}", advice)


def check_own(archive: Path, fingerprint: int | None, key: Path) -> None:
    """Check the key that is in the backup itself."""
    if fingerprint is not None and not KeyRing.read(key).has(fingerprint):
        raise WrongKeyForBackup(archive, "The key in the backup", "Name the file of the right one: --key-file FILE")
