"""The programs of published components on this machine: unpacked once, when the first job needs them.

<cache>/<sha256>/          the unpacked archive, complete and synced
<cache>/<sha256>.partial/  being unpacked; the next worker removes what a killed one has left
<cache>/<sha256>.lock      held meanwhile; the system releases it when the process dies
"""

from __future__ import annotations

import hashlib
import os
import time
from contextlib import suppress
from pathlib import Path

import msgspec

from penstock.components.archives import BadArchive, unpack_archive
from penstock.components.component import Component
from penstock.foundation.blobs import noticing_a_full_disk
from penstock.foundation.files import durable, locks
from penstock.foundation.files.removal import remove_tree
from penstock.foundation.stack import Stack
from penstock.services.developer.errors import ArchiveDamaged
from penstock.services.developer.operations.publishing import archives_in
from penstock.services.developer.store import archives

UNUSED_SECONDS = 7 * 24 * 3600
"""After which the program of a removed version goes from the cache: no job runs that long."""


def place_program(stack: Stack, component: Component) -> Component:
    """The component with its folder on this machine. Reads and writes files, so call it outside transactions."""
    if not component.archive:
        return component
    target = cache_folder(stack) / component.archive.sha256
    if not target.is_dir():
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with locks.exclusive(target.with_suffix(".lock")):
            if not target.is_dir():
                _unpack(stack, component, target)
    with suppress(OSError):  # only tells that it is in use
        os.utime(target)
    return msgspec.structs.replace(component, folder=target)


def cache_folder(stack: Stack) -> Path:
    """Return a folder on a disk of this machine, if the setting says so; the data folder may be shared by several
    machines."""
    own = stack.settings.component_cache
    return Path(own).expanduser().absolute() if own else stack.folder / "cache" / "components"


def _unpack(stack: Stack, component: Component, target: Path) -> None:
    assert component.archive
    archive, partial = component.archive, target.with_suffix(".partial")
    remove_tree(partial)
    try:
        with archives_in(stack.folder).content(archive.id, archive.content).open("rb") as file, noticing_a_full_disk():
            if hashlib.file_digest(file, "sha256").hexdigest() != archive.sha256:
                raise ArchiveDamaged(component.id, "is damaged: its checksum is not that of what was published")
            unpack_archive(file, partial)
            durable.sync_tree(partial)
            partial.rename(target)
            durable.sync_path(target.parent)
    except FileNotFoundError as error:
        raise ArchiveDamaged(component.id, "is not in the object store") from error
    except BadArchive as error:
        raise ArchiveDamaged(component.id, f"cannot be unpacked: {error.message}") from error
    finally:
        remove_tree(partial)


def maintain(stack: Stack) -> None:
    """Removes programs of removed versions from the cache of this machine."""
    folder = cache_folder(stack)
    found = [path for path in folder.glob("*") if path.is_dir() and not path.suffix]
    if not found:
        return
    with stack.database.reading() as tx:
        known = archives.list_checksums(tx)
    for path in found:
        if path.name not in known and time.time() - path.stat().st_mtime > UNUSED_SECONDS:
            remove_tree(path)
