"""Load an uploaded CSV file into a table, which is created if it does not exist."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO
from urllib.parse import quote

import msgspec

from penstock.client.blobs import OnBytes
from penstock.client.errors import ClientError, NotThere
from penstock.client.files import File, Files
from penstock.client.models import StorageJob, Table
from penstock.client.sources import CsvFile, NewColumn
from penstock.client.storage_jobs import StorageJobs
from penstock.client.transport import Transport
from penstock.foundation.structs import Wire

UPLOAD_TAG = "table-upload"


class Storage(msgspec.Struct, frozen=True):
    """Storage of one stack, with what its tables need."""

    root: str
    transport: Transport
    files: Files
    jobs: StorageJobs

    def url_of(self, table_id: str) -> str:
        return f"{self.root}/tables/{quote(table_id, safe='')}"

    def run(self, url: str, body: object) -> StorageJob:
        """Request a job and wait for its end."""
        return self.jobs.wait(self.transport.post(url, body, StorageJob))


class NewBucket(Wire, frozen=True):
    name: str
    stage: str


class NewTable(Wire, frozen=True):
    name: str
    primary_keys_names: list[str]
    columns: list[NewColumn]


class Load(Wire, frozen=True, omit_defaults=True):
    data_file_id: int
    incremental: bool = False
    delimiter: str = ","
    treat_values_as_null: list[str] | None = None


class NewTableFromFile(Load, frozen=True, omit_defaults=True):
    name: str = ""
    primary_key: str = ""


class InvalidTableId(ClientError):
    status = 400

    def __init__(self, table_id: str) -> None:
        super().__init__(
            f"{table_id!r} is not a valid table id. It is a stage, a bucket and a name, such as in.c-shop.orders."
        )


class OtherKey(ClientError):
    status = 409

    def __init__(self, table: Table, key: Sequence[str]) -> None:
        has = f"the primary key {', '.join(table.primary_key)}" if table.primary_key else "no primary key"
        super().__init__(
            f"The table {table.id} has {has}, so rows cannot be written by {', '.join(key)}. "
            "Write without a primary key to use that of the table, or delete the table first."
        )


def upload_rows(storage: Storage, source: Path | BinaryIO | CsvFile, table_id: str, on_bytes: OnBytes) -> File:
    content = source.path if isinstance(source, CsvFile) else source
    is_gzipped = isinstance(content, Path) and content.name.endswith(".gz")
    name = f"{table_id}.csv.gz" if is_gzipped else f"{table_id}.csv"
    return storage.files.upload(content, name, tags=[UPLOAD_TAG], on_bytes=on_bytes)


def load_rows(
    storage: Storage,
    table_id: str,
    table: Table | None,
    source: Path | BinaryIO | CsvFile,
    load: Load,
    primary_key: Sequence[str],
) -> None:
    """`table` is None if it does not exist; rows with types then create a table with types."""
    is_typed = isinstance(source, CsvFile) and (table is None or table.is_typed)
    if isinstance(source, CsvFile) and is_typed:
        load = msgspec.structs.replace(load, treat_values_as_null=[source.null])
    if table:
        storage.run(f"{storage.url_of(table_id)}/import-async", load)
    elif isinstance(source, CsvFile):
        _create_typed(storage, table_id, source, load, primary_key)
    else:
        _create(storage, table_id, load, primary_key)


def _create(storage: Storage, table_id: str, load: Load, primary_key: Sequence[str]) -> None:
    bucket, name = ensure_bucket(storage, table_id)
    new = NewTableFromFile(
        data_file_id=load.data_file_id, delimiter=load.delimiter, name=name, primary_key=",".join(primary_key)
    )
    storage.run(f"{bucket}/tables-async", new)


def _create_typed(storage: Storage, table_id: str, source: CsvFile, load: Load, primary_key: Sequence[str]) -> None:
    bucket, name = ensure_bucket(storage, table_id)
    new = NewTable(name=name, primary_keys_names=list(primary_key), columns=source.columns)
    storage.run(f"{bucket}/tables-definition", new)
    try:
        storage.run(f"{storage.url_of(table_id)}/import-async", load)
    except BaseException:
        with suppress(ClientError):
            storage.jobs.wait(storage.transport.delete_later(f"{storage.url_of(table_id)}?async=1", StorageJob))
        raise


def ensure_bucket(storage: Storage, table_id: str) -> tuple[str, str]:
    """The address of the table's bucket, which is created if it does not exist, and the table's name in it."""
    bucket_id, _, name = table_id.rpartition(".")
    stage, _, bucket = bucket_id.partition(".")
    if not (stage and bucket and name):
        raise InvalidTableId(table_id)
    url = f"{storage.root}/buckets/{quote(bucket_id, safe='')}"
    try:
        storage.transport.get(url, dict[str, object])
    except NotThere:
        new = NewBucket(name=bucket.removeprefix("c-"), stage=stage)
        storage.transport.post(f"{storage.root}/buckets", new, dict[str, object])
    return url, name
