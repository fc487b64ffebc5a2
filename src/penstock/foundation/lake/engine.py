"""DuckDB in this process, and the folder where it puts what does not fit in memory."""

from __future__ import annotations

import os
import shutil
import uuid
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import IO

import duckdb

from penstock.foundation import locks
from penstock.foundation.lake.sql import quote_value

MEMORY_LIMIT = "320MB"
"""With Python and the libraries a process stays under 600 MB; what needs more goes to the temporary folder."""

MOST_THREADS = 4
"""Each thread holds a row group in memory while it writes, so more of them would not fit."""
THREADS = min(os.cpu_count() or 1, MOST_THREADS)


def start_engine(temporary: Path, memory_limit: str, threads: int = THREADS) -> duckdb.DuckDBPyConnection:
    engine = duckdb.connect(
        config={
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
            # The engine would hash both extensions, 70 MB, at every start: up to a second of CPU. They come in wheels
            # whose hashes the installer has checked, as it has those of the engine itself, which nobody checks again.
            "allow_unsigned_extensions": True,
            "memory_limit": memory_limit,
            "threads": threads,
            "temp_directory": str(temporary),
            # Of rows with one key the last stays, and a preview shows a file as it was written.
            "preserve_insertion_order": True,
            # For the first rows of a table it reads which ones were deleted, and then reads that again.
            "disabled_optimizers": "late_materialization",
            # A table that is not there, as before the load that makes it, is not looked for in all other buckets, to
            # name similar ones: that takes longer with every table.
            "catalog_error_max_schemas": 0,
        }
    )
    for extension in ("ducklake", "sqlite_scanner"):
        engine.execute(f"LOAD {quote_value(_extension_file(extension))}")
    # A running engine does not let anybody turn it on again.
    engine.execute("SET GLOBAL allow_unsigned_extensions = false")
    engine.execute("SET GLOBAL TimeZone = 'UTC'")
    # A name that is no table is never to be looked for among Python's variables.
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
    """Where one engine puts what does not fit in memory: two of them in one folder would write over each other."""

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
    """What a killed process left: the lock of a living one cannot be had."""
    with suppress(OSError):
        held = locks.try_to_hold(lock_file)
        if held:
            shutil.rmtree(lock_file.with_suffix(""), ignore_errors=True)
            lock_file.unlink(missing_ok=True)
            held.close()
