"""The output folder: results are made aside, synced, and moved into place when they are whole."""

from __future__ import annotations

import os
import shutil
import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from penstock.extractor.errors import UserError
from penstock.foundation.durable import sync_path, write_file

PREFIX = ".extracting-"


class Stage(msgspec.Struct, frozen=True):
    """Where results are made; `tables` is for the maker to create."""

    out: Path
    work: Path

    @property
    def tables(self) -> Path:
        return self.work / "tables"

    def publish(self, state: str) -> None:
        """Move the tables into place, and the state last: it must never be ahead of the data."""
        target = self.out / "tables"
        target.mkdir(exist_ok=True)
        made = sorted(self.tables.iterdir())
        for path in made:
            sync_path(path)
        _check_free([self.out / "state.json", *(target / path.name for path in made)])
        with _undisturbed():
            for path in made:
                path.replace(target / path.name)
            sync_path(target)
            write_file(self.out / "state.json", state.encode(), mode=0o644)


@contextmanager
def staged(out: Path) -> Generator[Stage]:
    """A folder beside the results; whatever happens, nothing half-written stays."""
    is_new = not out.exists()
    out.mkdir(parents=True, exist_ok=True)
    _sweep(out)
    work = out / f"{PREFIX}{os.getpid()}"
    work.mkdir(mode=0o700)
    try:
        yield Stage(out, work)
    finally:
        shutil.rmtree(work, ignore_errors=True)
        if is_new:
            with suppress(OSError):
                out.rmdir()


def _check_free(paths: list[Path]) -> None:
    """Before the first file is moved: half of the results would be worse than none."""
    for path in paths:
        if path.is_dir() and not path.is_symlink():
            raise UserError(f"There is a folder where the file '{path}' has to go. Remove it, or set another `--out`.")


@contextmanager
def _undisturbed() -> Generator[None]:
    """Whoever interrupts the run now is too late: a moment more, and it has ended well.

    Blocking the signals would not do, since another thread may be the one that gets them.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, signal.SIG_IGN) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler or signal.SIG_DFL)


def _sweep(out: Path) -> None:
    """Remove what killed runs have left."""
    for path in out.glob(f"{PREFIX}*"):
        number = path.name.removeprefix(PREFIX)
        if number.isdigit() and not _is_alive(int(number)):
            shutil.rmtree(path, ignore_errors=True)


def _is_alive(pid: int) -> bool:
    if pid == os.getpid():
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
