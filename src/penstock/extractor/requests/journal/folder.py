"""The folder of an unfinished run: its configuration, its age, and whether it may be resumed."""

from __future__ import annotations

import asyncio
import errno
import fcntl
import hashlib
import os
import shutil
from collections.abc import Generator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import msgspec

from penstock import __version__
from penstock.extractor.base.errors import UserError
from penstock.extractor.base.log import Log
from penstock.extractor.requests.journal.journal import Journal
from penstock.foundation import clock
from penstock.foundation.files.durable import sync_path, write_file

NAME, HEADER = ".extracting", "run.json"
FORMAT = 2
A_DAY = 86400.0
UNLOCKABLE = frozenset({errno.EBADF, errno.ENOLCK, errno.ENOTSUP, errno.EINVAL})
"""Errors of network file systems that cannot lock folders; there, concurrent runs are not detected."""
INTERRUPTED = (KeyboardInterrupt, SystemExit, BrokenPipeError, asyncio.CancelledError)
UNFINISHED = (
    "The run is not finished. The pages that it has read are stored: run the same command again to resume it, or add "
    "`--fresh` to start over."
)
Choice = Literal["", "resume", "fresh"]
"""What to do about an interrupted run: decide by its age, resume it, or start over."""


class Identity(msgspec.Struct, frozen=True):
    """What must be equal for a run to be resumed: the configuration, the state, and the version of the program."""

    fingerprint: str
    version: str = __version__
    format: int = FORMAT

    @classmethod
    def of(cls, document: dict[str, Any], state: dict[str, Any]) -> Identity:
        return cls(hashlib.sha256(msgspec.json.encode([document, state], enc_hook=str)).hexdigest())


class Header(msgspec.Struct, frozen=True):
    """`run.json`: the identity of the run, and when it began."""

    run: Identity
    started: float


class RunFolder(msgspec.Struct, frozen=True):
    """The folder of a run, locked by this process."""

    path: Path
    journal: Journal
    started: float
    """When the first attempt began, as a Unix time."""
    is_resumed: bool


@contextmanager
def open_folder(out: Path, run: Identity, started: float, choice: Choice, log: Log) -> Generator[RunFolder]:
    """Opens and locks the folder of a run, inside the output folder. It is deleted when the run succeeds or fails, and
    stays only if the run is interrupted."""
    path = out / NAME
    with _locked(out):
        earlier = _earlier(path, run, choice, log)
        header = earlier or _begin(path, Header(run, started))
        _remove_results(path)
        journal = Journal(path)
        if journal.waiting:
            log.info(f"Resuming the run of {_shown(header)}: {journal.waiting} of its pages are stored.")
        try:
            yield RunFolder(path, journal, header.started, earlier is not None)
        except INTERRUPTED:
            journal.sync()
            journal.close()
            _remove_results(path)
            with suppress(OSError):  # the output may be closed
                log.info(UNFINISHED)
            raise
        except BaseException:
            journal.close()
            _remove(path)
            raise
        journal.close()
        _remove(path)


@contextmanager
def _locked(out: Path) -> Generator[None]:
    """Locks the folder itself, so that no lock file can be left behind."""
    is_new = not out.exists()
    handle = _open(out)
    try:
        _lock(handle, out)
        try:
            yield
        finally:
            if is_new:
                with suppress(OSError):
                    out.rmdir()
    finally:
        os.close(handle)


def _open(out: Path) -> int:
    try:
        out.mkdir(parents=True, exist_ok=True)
        sync_path(out.parent)
        return os.open(out, os.O_RDONLY | os.O_DIRECTORY)
    except FileNotFoundError:  # removed right after it was created, by another run
        raise _taken(out) from None
    except (FileExistsError, NotADirectoryError):
        raise UserError(f"'{out}' is not a folder. Remove it, or set another `--out`.") from None


def _taken(out: Path) -> UserError:
    return UserError(f"Another run is writing to '{out}'. Wait for its end, or set another `--out`.")


def _lock(handle: int, out: Path) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if out.stat().st_ino != os.fstat(handle).st_ino:
            raise BlockingIOError
    except (BlockingIOError, FileNotFoundError):  # locked by a run, or removed by one that ended just now
        raise _taken(out) from None
    except OSError as error:
        if error.errno not in UNLOCKABLE:
            raise


def _earlier(path: Path, run: Identity, choice: Choice, log: Log) -> Header | None:
    """Returns the header of an interrupted run, if this run may resume it; raises UserError for one older than a
    day."""
    if path.is_symlink() or not path.is_dir() or choice == "fresh":
        return None
    header = _read(path / HEADER)
    if header is None:
        return None
    if header.run != run:
        log.info("The last run was interrupted, but it had another configuration, state or version: starting over.")
        return None
    if choice != "resume" and clock.now().timestamp() - header.started > A_DAY:
        raise UserError(
            f"A run that began on {_shown(header)} was interrupted and is more than a day old. To resume it add "
            "`--resume`, to start over add `--fresh`."
        )
    return header


def _begin(path: Path, header: Header) -> Header:
    _remove(path)
    path.mkdir(mode=0o700)
    write_file(path / HEADER, msgspec.json.encode(header))
    return header


def _read(path: Path) -> Header | None:
    try:
        header = msgspec.json.decode(path.read_bytes(), type=Header)
    except (OSError, msgspec.MsgspecError):
        return None
    return header if 0 <= header.started <= clock.now().timestamp() + A_DAY else None


def _remove(path: Path) -> None:
    """Deletes `run.json` first: if a crash leaves other files, the ended run cannot be resumed."""
    if path.is_symlink() or path.is_file():  # not created by a run; what a link points to is not deleted
        path.unlink()
        return
    with suppress(OSError):
        (path / HEADER).unlink()
    shutil.rmtree(path, ignore_errors=True)


def _remove_results(path: Path) -> None:
    """Deletes unfinished tables, which are made again from the responses."""
    for entry in path.iterdir():
        if entry.is_dir():
            shutil.rmtree(entry, ignore_errors=True)


def _shown(header: Header) -> str:
    return datetime.fromtimestamp(header.started, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
