"""Uploads: the bytes of a blob, in one request or in many. What has arrived stays when a connection breaks, and the
client continues where it ends. One request at a time writes to an upload."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from penstock.foundation import clock, ids
from penstock.foundation.blobs import BlobFolder, noticing_a_full_disk
from penstock.foundation.database import Transaction
from penstock.foundation.files import locks
from penstock.foundation.settings import Settings
from penstock.services.developer.registry import store
from penstock.services.developer.registry.errors import (
    LayerTooLarge,
    RepositoryFull,
    TooManyUploads,
    UploadBusy,
    UploadUnknown,
)
from penstock.services.developer.registry.models import UploadRow

FOLDER = "images"
MAX_UPLOADS = 100
"""Unfinished ones of one app."""
MEGABYTE = 1_000_000


def images_in(folder: Path) -> BlobFolder:
    """The images of the stack in this data folder."""
    return BlobFolder(folder / FOLDER)


def bytes_of(folder: BlobFolder, upload_id: int) -> Path:
    return folder.staging(upload_id) / "bytes"


def size_of(folder: BlobFolder, upload_id: int) -> int:
    try:
        return bytes_of(folder, upload_id).stat().st_size
    except FileNotFoundError:
        return 0


def begin_upload(tx: Transaction, app_id: str) -> UploadRow:
    if len(store.list_uploads(tx, app_id)) >= MAX_UPLOADS:
        raise TooManyUploads(MAX_UPLOADS)
    row = UploadRow(id=ids.new_id(tx), app_id=app_id, created=clock.now())
    store.add_upload(tx, row)
    return row


def get_upload(tx: Transaction, app_id: str, upload_id: str) -> UploadRow:
    number = ids.read_id(upload_id)
    row = store.find_upload(tx, app_id, number) if number is not None else None
    if not row:
        raise UploadUnknown(upload_id)
    return row


class Upload:
    """The file of an upload, which this request alone appends to until it is closed."""

    def __init__(self, folder: BlobFolder, row: UploadRow) -> None:
        self.row, self.path = row, bytes_of(folder, row.id)
        with noticing_a_full_disk():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            lock = locks.try_to_hold(self.path.with_name("upload.lock"))
            if not lock:
                raise UploadBusy
            self._lock, self._file = lock, self.path.open("ab")
        self.size = self._file.tell()

    def write(self, chunks: Sequence[bytes]) -> None:
        with noticing_a_full_disk():
            self._file.writelines(chunks)
            self._file.flush()
        self.size = self._file.tell()

    def close(self) -> None:
        self._file.close()
        self._lock.close()


def find_room(tx: Transaction, settings: Settings, folder: BlobFolder, row: UploadRow) -> int:
    """How many bytes the whole upload may have; raises RepositoryFull if there is no room at all."""
    others = sum(size_of(folder, each.id) for each in store.list_uploads(tx, row.app_id) if each.id != row.id)
    room = settings.image_app_megabytes * MEGABYTE - store.sum_bytes(tx, row.app_id) - others
    if room <= 0:
        raise RepositoryFull(settings.image_app_megabytes)
    return min(room, settings.image_layer_megabytes * MEGABYTE)


def explain_too_large(settings: Settings, room: int) -> LayerTooLarge | RepositoryFull:
    if room >= settings.image_layer_megabytes * MEGABYTE:
        return LayerTooLarge(settings.image_layer_megabytes)
    return RepositoryFull(settings.image_app_megabytes)
