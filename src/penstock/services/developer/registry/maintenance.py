"""Removes uploads that were abandoned, blobs that no manifest names, and bytes that belong to nothing."""

from __future__ import annotations

import time
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

from penstock.foundation import clock
from penstock.foundation.blobs import BlobFolder
from penstock.foundation.stack import Stack
from penstock.services.developer.registry import store
from penstock.services.developer.registry.blobs import drop_contents
from penstock.services.developer.registry.uploads import bytes_of, images_in

ABANDONED = timedelta(hours=24)
"""After which nobody continues an upload, or pushes the manifest of what was uploaded."""


def maintain(stack: Stack) -> None:
    folder = images_in(stack.folder)
    _remove_uploads(stack, folder)
    _remove_blobs(stack, folder)
    _remove_orphans(stack, folder)


def _remove_uploads(stack: Stack, folder: BlobFolder) -> None:
    with stack.database.reading() as tx:
        begun = store.list_uploads_before(tx, clock.now() - ABANDONED)
    for row in begun:
        path = bytes_of(folder, row.id)
        if path.exists() and not _is_old(path):
            continue
        with stack.database.writing(0) as tx:
            store.remove_upload(tx, row.id)
        folder.remove(row.id)


def _remove_blobs(stack: Stack, folder: BlobFolder) -> None:
    """One app at a time: clients wait while a transaction writes."""
    oldest = clock.now() - ABANDONED
    with stack.database.reading() as tx:
        app_ids = store.list_apps_before(tx, oldest)
    for app_id in app_ids:
        with stack.database.writing(0) as tx:
            named = {digest for each in store.list_references(tx, app_id).values() for digest in each}
            blobs = store.list_blobs(tx, app_id)
            unused = [row.digest for row in blobs if row.digest not in named and row.created < oldest]
            contents = store.remove_blobs(tx, app_id, unused) if unused else []
        drop_contents(folder, contents)


def _remove_orphans(stack: Stack, folder: BlobFolder) -> None:
    """Bytes are stored before their row, so only old ones are without one for good."""
    old = {each for each in folder.file_ids() if all(map(_is_old, _places(folder, each)))}
    with stack.database.reading() as tx:
        known = store.list_contents(tx, old) | store.list_upload_ids(tx, old)
    drop_contents(folder, sorted(old - known))


def _places(folder: BlobFolder, content_id: int) -> list[Path]:
    places = (folder.root / "stored" / str(content_id), folder.staging(content_id), bytes_of(folder, content_id))
    return [each for each in places if each.exists()]


def _is_old(path: Path) -> bool:
    with suppress(FileNotFoundError):
        return time.time() - path.stat().st_mtime > ABANDONED.total_seconds()
    return False
