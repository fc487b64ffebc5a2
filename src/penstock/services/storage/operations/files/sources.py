"""Files that the stack reads: uploads, located by the manifest that the client wrote."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from urllib.parse import unquote

import msgspec

from penstock.foundation.blobs import BlobFolder
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.stack import Stack
from penstock.services.storage.errors.files import FileNotUploaded, InvalidManifest, ManifestMissing, SliceMissing
from penstock.services.storage.models.blobs import BlobRow, Manifest
from penstock.services.storage.models.files import FileRow, FileSource
from penstock.services.storage.operations.files.rows import get_row
from penstock.services.storage.store import blobs

MANIFEST_BYTES = 64_000_000
GZIP, GZIP_MAGIC = ".gz", b"\x1f\x8b"


def get_source(tx: Transaction, stack: Stack, caller: Caller, file_id: str | int) -> FileRow:  # noqa: ARG001
    """A file to read from; raises FileNotFound if it does not exist, expired or belongs to another project."""
    return get_row(tx, caller, file_id)


def open_source(stack: Stack, row: FileRow) -> FileSource:
    """The paths of the file's bytes. They are valid until the file is deleted, expires or is uploaded again."""
    first = _find(stack, row, [row.first_blob]).get(row.first_blob)
    if not first:
        raise ManifestMissing(row.id, row.first_blob) if row.is_sliced else FileNotUploaded(row.id)
    return _to_source(stack, row, _find_slices(stack, row, first) if row.is_sliced else [first])


def _find(stack: Stack, row: FileRow, names: Sequence[str]) -> dict[str, BlobRow]:
    """The blobs of these names that have bytes."""
    with stack.database.reading() as tx:
        found = blobs.find_blobs(tx, row.project_id, row.id, names)
    return {name: blob for name, blob in found.items() if _path(stack, blob).is_file()}


def _find_slices(stack: Stack, row: FileRow, manifest: BlobRow) -> list[BlobRow]:
    names = _read_manifest(stack, row, manifest)
    found = _find(stack, row, list({*names, *map(unquote, names)}))
    slices = [found.get(name) or found.get(unquote(name)) for name in names]
    for name, blob in zip(names, slices, strict=True):
        if not blob:
            raise SliceMissing(row.id, name)
    return [blob for blob in slices if blob]


def _read_manifest(stack: Stack, row: FileRow, manifest: BlobRow) -> list[str]:
    """The names of the slices, in their order."""
    if manifest.size_bytes > MANIFEST_BYTES:
        raise InvalidManifest(row.id, f"it has more than {MANIFEST_BYTES:,} bytes.")
    try:
        content = msgspec.json.decode(_path(stack, manifest).read_bytes(), type=Manifest)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidManifest(row.id, f"{error}.") from error
    return [_name_in(row, entry.url) for entry in content.entries]


def _name_in(row: FileRow, url: str) -> str:
    """`azure://…/<container>/<name>` → name, whatever comes before the container."""
    _, found, name = url.partition("?")[0].partition(f"/{row.container}/")
    if not found:
        raise InvalidManifest(row.id, f'it lists "{url}", which is not a blob of this file.')
    return name


def _to_source(stack: Stack, row: FileRow, slices: Sequence[BlobRow]) -> FileSource:
    paths = tuple(_path(stack, blob) for blob in slices)
    return FileSource(
        paths=paths,
        is_sliced=row.is_sliced,
        is_gzipped=tuple(_is_gzipped(row, blob, path) for blob, path in zip(slices, paths, strict=True)),
        size_bytes=sum(blob.size_bytes for blob in slices),
    )


def _is_gzipped(row: FileRow, blob: BlobRow, path: Path) -> bool:
    """Judged by its name. The name of a sliced file may apply to its slices, if they look like it."""
    if blob.name.endswith(GZIP):
        return True
    if not row.name.endswith(GZIP):
        return False
    with path.open("rb") as file:
        return file.read(len(GZIP_MAGIC)) == GZIP_MAGIC


def _path(stack: Stack, blob: BlobRow) -> Path:
    return BlobFolder(stack.files_folder).content(blob.file_id, blob.content)
