"""A data folder as one file, and back: `penstock backup FILE`, `penstock restore FILE`.

A backup is taken while the stack runs. Its metadata and tables are consistent: every acknowledged load is in both, and
a running job continues after a restore as it would after a power failure.
"""

from __future__ import annotations

from penstock.server.backups.archive import BackupFailed, Header
from penstock.server.backups.restoring import restore_backup
from penstock.server.backups.writing import Written, write_backup

__all__ = ["BackupFailed", "Header", "Written", "restore_backup", "write_backup"]
