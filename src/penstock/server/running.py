"""The note that a running stack writes to its data folder, so that other commands find it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import msgspec

from penstock.foundation.files import durable, locks

NOTE, LOCK = "running.json", "up.lock"


class Running(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """The address of a stack, and a token for it."""

    storage_url: str
    queue_url: str
    portal_url: str
    console_url: str = ""
    project_id: int
    token: str
    pid: int
    sign_in_url: str = ""
    """The address at which people sign in."""
    login_url: str | None = None
    """A link that works once, with which the first administrator sets a password; None if a user has one."""
    https_storage_url: str | None = None
    """The address of the storage over TLS, if enabled."""
    sql_port: int | None = None
    """The port for PostgreSQL clients of workspaces, if enabled."""
    authority_file: str | None = None
    """The authority to trust for it, if the certificate is the stack's own."""


def remember(folder: Path, running: Running) -> None:
    durable.write_file(folder / NOTE, msgspec.json.encode(running))


def forget(folder: Path) -> None:
    with suppress(OSError):
        (folder / NOTE).unlink(missing_ok=True)


def read_running(folder: Path) -> Running | None:
    """The stack that runs on a data folder, if any: a note is valid only while the lock is held."""
    try:
        note = msgspec.json.decode((folder / NOTE).read_bytes(), type=Running)
    except (OSError, msgspec.MsgspecError):
        return None
    return note if locks.is_held(folder / LOCK) else None
