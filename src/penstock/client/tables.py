"""The tables of a project: their properties, and their rows as files."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from penstock.client.blobs import OnBytes, ignore_bytes
from penstock.client.errors import ClientError, NotThere
from penstock.client.loads import Load, OtherKey, Storage, load_rows, upload_rows
from penstock.client.models import Preview, StorageJob, Table
from penstock.client.sources import CsvFile


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
        with self.exported(table_id, folder, on_bytes=on_bytes) as slices:
            return slices

    @contextmanager
    def exported(self, table_id: str, folder: Path, *, on_bytes: OnBytes = ignore_bytes) -> Generator[list[Path]]:
        """Like export(); the files in Storage are deleted while those in the folder are used."""
        wanted = {"fileType": "parquet", "includeInternalTimestamp": True}
        job = self._storage.run(f"{self._storage.url_of(table_id)}/export-async", wanted)
        file_id = job.results["file"]["id"]
        with ThreadPoolExecutor(1) as background:
            try:
                slices = self._storage.files.download_slices(file_id, folder, on_bytes=on_bytes)
            finally:
                background.submit(self._delete_export, file_id)
            yield slices

    def _delete_export(self, file_id: int) -> None:
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
        wanted = Load(data_file_id=file.id, incremental=incremental, delimiter=delimiter)
        try:
            load_rows(self._storage, table_id, table, source, wanted, primary_key)
        finally:
            with suppress(ClientError):  # it expires within two weeks
                self._storage.files.delete(file.id)
        return self.get(table_id)
