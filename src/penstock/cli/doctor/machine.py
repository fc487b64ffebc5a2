"""The machine: Python, the databases, and a correct clock."""

from __future__ import annotations

import platform
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from importlib.metadata import version
from pathlib import Path

from penstock.cli.doctor.check import Check, ok, wrong
from penstock.foundation import clock
from penstock.settings import Settings

PYTHON = (3, 11)
SQLITE = (3, 35, 0)
"""The first that returns rows from an update, which is how a worker claims a job."""

EXTENSIONS = ("duckdb-extension-ducklake", "duckdb-extension-sqlite-scanner")
"""Binaries that work only with exactly the same version of DuckDB."""

REINSTALL = f"Install it again: {sys.executable} -m pip install --force-reinstall penstock"

RELEASED = datetime(2025, 1, 1, tzinfo=UTC)
TOLERANCE = timedelta(minutes=1)


def examine(settings: Settings) -> Iterator[Check]:
    yield check_python(sys.version_info[:3])
    yield check_platform(sys.platform)
    yield check_sqlite(sqlite3.sqlite_version_info)
    yield check_duckdb()
    yield check_clock(settings.folder)


def check_python(version: tuple[int, ...]) -> Check:
    text = ".".join(map(str, version))
    if version < PYTHON:
        return wrong("Python", f"{text} is too old", "Install Python 3.11 or newer, then Penstock with it.")
    return ok("Python", text)


def check_platform(name: str) -> Check:
    if name in ("linux", "darwin"):
        return ok("platform", f"{platform.system()} {platform.release()} {platform.machine()}")
    return wrong("platform", f"{name} is not supported", "Use Linux or macOS; on Windows run Penstock inside WSL.")


def check_sqlite(version: tuple[int, ...]) -> Check:
    text = ".".join(map(str, version))
    if version < SQLITE:
        return wrong("SQLite", f"{text} is too old", "Use a Python that is built with SQLite 3.35 or newer.")
    return ok("SQLite", text)


def check_duckdb() -> Check:
    """Opens a lake in a temporary folder: the only proof that the extensions work on this machine."""
    import duckdb

    versions = {name: version(name) for name in ("duckdb", *EXTENSIONS)}
    if len(set(versions.values())) > 1:
        return wrong("DuckDB", f"versions differ: {', '.join(map(' '.join, versions.items()))}", REINSTALL)

    from penstock.foundation.lake import Lake, LakeTable

    with tempfile.TemporaryDirectory() as folder:
        lake = Lake(Path(folder))
        try:
            with lake.session(LakeTable(1, "doctor")) as session:
                session.execute("SELECT 1").fetchall()
        except (duckdb.Error, RuntimeError, OSError) as error:
            return wrong("DuckDB", str(error).partition("\n")[0], REINSTALL)
        finally:
            lake.close()
    return ok("DuckDB", f"{duckdb.__version__}; its extensions load")


def check_clock(folder: Path) -> Check:
    now, fix = clock.now(), "Set the clock; on most systems: sudo timedatectl set-ntp true"
    if now < RELEASED:
        return wrong("clock", f"{now:%Y-%m-%d %H:%M} UTC is before Penstock was written", fix)
    newest = _last_write(folder)
    if newest and newest > now + TOLERANCE:
        return wrong(
            "clock", f"it shows {now:%Y-%m-%d %H:%M} UTC, but {folder} was written {newest:%Y-%m-%d %H:%M}", fix
        )
    return ok("clock", f"{now:%Y-%m-%d %H:%M} UTC")


def _last_write(folder: Path) -> datetime | None:
    database = folder / "metadata.sqlite"
    return datetime.fromtimestamp(database.stat().st_mtime, UTC) if database.exists() else None
