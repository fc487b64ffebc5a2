"""The output folder: results are made aside, synced, and moved into place when they are whole."""

from __future__ import annotations

import shutil
import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from penstock.extractor.errors import UserError
from penstock.extractor.journal.folder import HEADER
from penstock.foundation.durable import sync_path, write_file

REPORT, STATE = "report.json", "state.json"

FOLDERS = ("tables", "rejected")


def publish(work: Path, out: Path, state: str, report: str) -> None:
    """Move what was made into place, and the state last: it must never be ahead of the data."""
    moves = [(path, out / folder / path.name) for folder in FOLDERS for path in _made(work / folder)]
    (out / "tables").mkdir(exist_ok=True)
    _check_free([out / STATE, out / REPORT, *(target for _path, target in moves)])
    for path, _target in moves:
        sync_path(path)
    write_report(work, report)
    write_file(work / STATE, state.encode(), mode=0o644)
    with _undisturbed():
        shutil.rmtree(out / "rejected", ignore_errors=True)  # of an earlier run
        for path, target in moves:
            target.parent.mkdir(exist_ok=True)
            path.replace(target)
        for folder in {target.parent for _path, target in moves}:
            sync_path(folder)
        for name in (REPORT, STATE):
            (work / name).replace(out / name)
        # From here on there is nothing to go on with: the same command must ask again.
        (work / HEADER).unlink(missing_ok=True)
        sync_path(out)


def write_report(out: Path, report: str) -> None:
    """Also of a run that has failed."""
    write_file(out / REPORT, report.encode(), mode=0o644)


def _made(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.exists() else []


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
