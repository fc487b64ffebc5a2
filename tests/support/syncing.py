"""Writing without waiting for the disk: what most tests write need not survive a power cut.

Tests of what survives start processes of their own, which do wait; those of what is synced replace `os.fsync` again.
"""

from __future__ import annotations

import os

import pytest

from penstock.foundation.database import Database
from tests.support.compiled import engines_of


def leave_out_syncs() -> None:
    """In this process, for as long as it runs."""
    patch = pytest.MonkeyPatch()
    for name in ("fsync", "fdatasync"):
        patch.setattr(os, name, os.fstat)


def leave_out_syncs_of(database: Database) -> None:
    """SQLite syncs by itself."""
    if database.engine.dialect.name == "sqlite":
        for engine in engines_of(database):
            engine.update_execution_options(synchronous="OFF")
