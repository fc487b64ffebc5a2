"""The output folder: results are written to a work folder, synced, and moved into place when they are complete."""

from __future__ import annotations

import shutil
import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from penstock.extractor.base.errors import UserError
from penstock.extractor.requests.journal.folder import HEADER
from penstock.foundation.files.durable import sync_path, write_file

REPORT, STATE = "report.json", "state.json"

FOLDERS = ("tables", "rejected")


def publish(work: Path, out: Path, state: str, report: str) -> None:
    """Moves the results into place, the state last: it must never be newer than the data."""
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
        # From here on the run cannot be resumed: the same command starts a new one.
        (work / HEADER).unlink(missing_ok=True)
        sync_path(out)


def write_report(out: Path, report: str) -> None:
    """Writes the report; of a failed run, too."""
    write_file(out / REPORT, report.encode(), mode=0o644)


def _made(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.exists() else []


def _check_free(paths: list[Path]) -> None:
    """Raises UserError before the first file is moved, so that results are never incomplete."""
    for path in paths:
        if path.is_dir() and not path.is_symlink():
            raise UserError(f"There is a folder where the file '{path}' has to go. Remove it, or set another `--out`.")


@contextmanager
def _undisturbed() -> Generator[None]:
    """Ignores interrupts while the results are moved, which takes a moment.

    The signals are not blocked, because another thread might receive them.
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
