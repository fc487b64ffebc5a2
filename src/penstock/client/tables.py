"""The tables of a project: their properties, and their rows as files."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from penstock.client.blobs import OnBytes, ignore_bytes, read_ranges
from penstock.client.errors import ClientError, NotThere, RequestRefused
from penstock.client.loads import Load, OtherKey, Storage, load_rows, upload_rows
from penstock.client.models import Preview, StorageJob, Table
from penstock.client.sources import CsvFile

_NOT_ONE_FILE = (404, 405, 409, 412)
"""It is stored as several, or was changed in the meantime; or this stack is older."""


class Tables:
    def __init__(self, storage: Storage) -> None:
        self._storage, self._transport = storage, storage.transport

    def list(self) -> list[Table]:
        return self._transport.get(f"{self._storage.root}/tables", list[Table], {"include": "columns"})

    def get(self, table_id: str) -> Table:
        return self._transport.get(self._storage.url_of(table_id), Table)

    def find(self, table_id: str) -> Table | None:
        with suppress(NotThere):
            return self.get(table_id)
        return None

    def preview(self, table_id: str, limit: int = 100) -> Preview:
        """The first rows of a table, as text."""
        return self._transport.get(
            f"{self._storage.url_of(table_id)}/data-preview", Preview, {"format": "json", "limit": limit}
        )

    def delete(self, table_id: str, *, force: bool = False) -> None:
        """A table with aliases is deleted only with force, together with them."""
        query = "async=1&force=1" if force else "async=1"
        self._storage.jobs.wait(self._transport.delete_later(f"{self._storage.url_of(table_id)}?{query}", StorageJob))

    def export(self, table_id: str, folder: Path, *, on_bytes: OnBytes = ignore_bytes) -> list[Path]:
        """All rows as Parquet files in the folder, in order. They may have internal columns: read by name."""
        target = folder / f"{0:06}"
        try:
            with target.open("wb") as file:
                for piece in self._read_stored(table_id):
                    file.write(piece)
                    on_bytes(len(piece))
        except RequestRefused as error:
            target.unlink()
            if error.status not in _NOT_ONE_FILE:
                raise
        else:
            return [target]
        with self._exported(table_id) as file_id:
            return self._storage.files.download_slices(file_id, folder, on_bytes=on_bytes)

    def read_files(self, table_id: str) -> Iterator[bytes]:
        """The contents of the files that export() writes; one is in memory at a time."""
        try:
            yield b"".join(self._read_stored(table_id))
        except RequestRefused as error:
            if error.status not in _NOT_ONE_FILE:
                raise
        else:
            return
        with self._exported(table_id) as file_id:
            yield from self._storage.files.read_slices(file_id)

    def _read_stored(self, table_id: str) -> Iterator[bytes]:
        """The file in which the table is stored, in chunks: most tables are stored as one, and it needs no job."""
        return read_ranges(self._transport, f"{self._storage.url_of(table_id)}/data-file", is_public=False)

    @contextmanager
    def _exported(self, table_id: str) -> Generator[int]:
        """A file in Storage with the rows of the table, which is deleted afterwards."""
        request = {"fileType": "parquet", "includeInternalTimestamp": True}
        job = self._storage.run(f"{self._storage.url_of(table_id)}/export-async", request)
        file_id = job.results["file"]["id"]
        try:
            yield file_id
        finally:
            with suppress(ClientError):  # it expires within two days
                self._storage.files.delete(file_id)

    def load(
        self,
        table_id: str,
        source: Path | BinaryIO | CsvFile,
        *,
        primary_key: Sequence[str] = (),
        incremental: bool = False,
        delimiter: str = ",",
        on_bytes: OnBytes = ignore_bytes,
    ) -> Table:
        """Load CSV with a header into a table; it and its bucket are created if they do not exist.

        The rows replace those of the table, or are added with `incremental`: rows with an existing key replace these.
        """
        table = self.find(table_id)
        if table and primary_key and list(primary_key) != table.primary_key:
            raise OtherKey(table, primary_key)
        file = upload_rows(self._storage, source, table_id, on_bytes)
        request = Load(data_file_id=file.id, incremental=incremental, delimiter=delimiter)
        try:
            load_rows(self._storage, table_id, table, source, request, primary_key)
        finally:
            with suppress(ClientError):  # it expires within two weeks
                self._storage.files.delete(file.id)
        return self.get(table_id)
