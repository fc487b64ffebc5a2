"""DuckDB in this process, and its temporary folder."""

from __future__ import annotations

import os
import shutil
import uuid
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import IO

import duckdb

from penstock.foundation.files import locks
from penstock.foundation.text.quoting import quote_value

MEMORY_LIMIT = "320MB"
"""With Python and the libraries a process stays under 600 MB; larger intermediate results go to the temporary
folder."""

MAX_THREADS = 4
"""Each thread holds a row group in memory while it writes, so more threads would not fit."""
THREADS = min(os.cpu_count() or 1, MAX_THREADS)


def start_engine(temporary: Path, memory_limit: str, threads: int = THREADS) -> duckdb.DuckDBPyConnection:
    engine = duckdb.connect(
        config={
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
            # The engine would hash both extensions, 70 MB, at every start: up to a second of CPU. They come in wheels
            # whose hashes the installer has checked, like those of the engine itself.
            "allow_unsigned_extensions": True,
            "memory_limit": memory_limit,
            "threads": threads,
            "temp_directory": str(temporary),
            # Of rows with the same key the last wins, and a preview shows rows in the order of the file.
            "preserve_insertion_order": True,
            # For the first rows of a table it would read the deletions twice.
            "disabled_optimizers": "late_materialization",
            # Do not search all other buckets for similarly named tables when a table does not exist, as before its
            # first load: that takes longer with every table.
            "catalog_error_max_schemas": 0,
        }
    )
    for extension in ("ducklake", "sqlite_scanner"):
        engine.execute(f"LOAD {quote_value(_extension_file(extension))}")
    # A running engine does not allow turning it on again.
    engine.execute("SET GLOBAL allow_unsigned_extensions = false")
    engine.execute("SET GLOBAL TimeZone = 'UTC'")
    # A name that is not a table must never be looked up among Python's variables.
    engine.execute("SET GLOBAL python_enable_replacements = false")
    return engine


def _extension_file(extension: str) -> Path:
    """The binary inside the extension's wheel: nothing is downloaded at run time."""
    spec = find_spec(f"duckdb_extension_{extension}")
    if not spec or not spec.origin:
        raise RuntimeError(f"The DuckDB extension {extension} is not installed; install penstock again.")
    folder = Path(spec.origin).parent / "extensions" / f"v{duckdb.__version__}"
    return folder / f"{extension}.duckdb_extension"


class Scratch:
    """The temporary folder of one engine: two in one folder would overwrite each other's files."""

    def __init__(self, parent: Path) -> None:
        parent.mkdir(parents=True, exist_ok=True)
        for left in parent.glob("*.lock"):
            _remove_if_dead(left)
        name = uuid.uuid4().hex
        self._lock_file = parent / f"{name}.lock"
        self._held: IO[str] | None = locks.try_to_hold(self._lock_file)
        self.folder = parent / name
        self.folder.mkdir()

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        self._lock_file.unlink(missing_ok=True)
        if self._held:
            self._held.close()


def _remove_if_dead(lock_file: Path) -> None:
    """Remove the folder of a killed process: the lock of a living one is held."""
    with suppress(OSError):
        held = locks.try_to_hold(lock_file)
        if held:
            shutil.rmtree(lock_file.with_suffix(""), ignore_errors=True)
            lock_file.unlink(missing_ok=True)
            held.close()
