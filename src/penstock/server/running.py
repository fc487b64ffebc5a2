"""The note that a running stack leaves in its data folder, by which other commands find it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import msgspec

from penstock.foundation import durable, locks

NOTE, LOCK = "running.json", "up.lock"


class Running(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """Where a stack answers, and a token to ask with."""

    storage_url: str
    queue_url: str
    portal_url: str
    project_id: int
    token: str
    pid: int
    https_storage_url: str | None = None
    """The storage over TLS, if the stack serves it."""
    authority_file: str | None = None
    """Whom to trust for that, if the certificate is the stack's own."""


def remember(folder: Path, running: Running) -> None:
    durable.write_file(folder / NOTE, msgspec.json.encode(running))


def forget(folder: Path) -> None:
    with suppress(OSError):
        (folder / NOTE).unlink(missing_ok=True)


def read_running(folder: Path) -> Running | None:
    """The stack that runs on a data folder, if one does: a note without a holder of the lock is a dead one's."""
    try:
        note = msgspec.json.decode((folder / NOTE).read_bytes(), type=Running)
    except (OSError, msgspec.MsgspecError):
        return None
    return note if locks.is_held(folder / LOCK) else None
