"""The files of a project: listed, uploaded and downloaded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO
from urllib.parse import quote

import msgspec

from penstock.client.blobs import (
    Container,
    Credentials,
    OnBytes,
    WrongProvider,
    download,
    ignore_bytes,
    read_container,
    read_ranges,
    upload,
)
from penstock.client.errors import ClientError, NotAStack
from penstock.client.transport import Transport
from penstock.foundation.structs import Wire

AZURE = "azure"


class File(Wire, frozen=True):
    id: int
    name: str
    tags: list[str] = []
    size_bytes: int | None = None
    created: str | None = None
    max_age_days: int | None = None
    """None if it is stored until it is deleted."""
    is_sliced: bool = False
    provider: str = AZURE
    url: str = ""
    """A signed address of its bytes, or of the manifest of a sliced file."""


class NewFile(Wire, frozen=True):
    name: str
    size_bytes: int | None = None
    tags: list[str] = []
    is_permanent: bool = False
    is_sliced: bool = False
    federation_token: bool = True


class UploadParams(Wire, frozen=True):
    blob_name: str
    container: str
    abs_credentials: Credentials


class Prepared(File, frozen=True):
    """A file without bytes yet."""

    abs_upload_params: UploadParams | None = None


class BlobPath(Wire, frozen=True):
    container: str
    name: str


class Readable(File, frozen=True):
    """A file with credentials for its blobs."""

    abs_path: BlobPath | None = None
    abs_credentials: Credentials | None = None


class Entry(Wire, frozen=True):
    url: str


class Manifest(Wire, frozen=True):
    entries: list[Entry]


class Files:
    def __init__(self, url: str, transport: Transport) -> None:
        self._url, self._transport = f"{url}/v2/storage/files", transport

    def list(self, tags: Sequence[str] = (), *, search: str = "", limit: int = 100, offset: int = 0) -> list[File]:
        """Newest first: files with any of the tags that match the search, such as `name:report`."""
        query: dict[str, object] = {"limit": limit, "offset": offset}
        if tags:
            query["tags[]"] = list(tags)
        if search:
            query["q"] = search
        return self._transport.get(self._url, list[File], query)

    def get(self, file_id: int | str) -> File:
        return self._transport.get(f"{self._url}/{quote(str(file_id), safe='')}", File)

    def delete(self, file_id: int | str) -> None:
        self._transport.delete(f"{self._url}/{quote(str(file_id), safe='')}")

    def upload(
        self,
        source: Path | BinaryIO,
        name: str = "",
        *,
        tags: Sequence[str] = (),
        permanent: bool = False,
        on_bytes: OnBytes = ignore_bytes,
    ) -> File:
        """A file, or an open one up to its end. It is deleted after 15 days unless it is permanent."""
        if isinstance(source, Path):
            with source.open("rb") as opened:
                return self.upload(opened, name or source.name, tags=tags, permanent=permanent, on_bytes=on_bytes)
        request = NewFile(name=name or "file", tags=list(tags), is_permanent=permanent)
        prepared = self._transport.post(f"{self._url}/prepare", request, Prepared)
        params = prepared.abs_upload_params
        if params is None:
            raise WrongProvider(prepared.provider)
        container = read_container(params.container, params.abs_credentials)
        try:
            upload(self._transport, container.url_of(params.blob_name), source, on_bytes)
        except BaseException:
            with suppress(ClientError):  # without bytes it expires in 15 days
                self.delete(prepared.id)
            raise
        return self.get(prepared.id)

    def download(self, file_id: int | str, target: Path | BinaryIO, *, on_bytes: OnBytes = ignore_bytes) -> File:
        """The bytes of a file; the slices of a sliced one in their order."""
        if isinstance(target, Path):
            with target.open("wb") as opened:
                return self.download(file_id, opened, on_bytes=on_bytes)
        file = self._readable(file_id)
        for url in self._urls(file):
            download(self._transport, url, target, on_bytes)
        return file

    def download_slices(self, file_id: int | str, folder: Path, *, on_bytes: OnBytes = ignore_bytes) -> list[Path]:
        """Each slice as a separate file, numbered in their order."""
        paths: list[Path] = []
        for number, url in enumerate(self._urls(self._readable(file_id))):
            paths.append(folder / f"{number:06}")
            with paths[-1].open("wb") as target:
                download(self._transport, url, target, on_bytes)
        return paths

    def read_slices(self, file_id: int | str) -> Iterator[bytes]:
        """The bytes of each slice in their order; one is in memory at a time."""
        for url in self._urls(self._readable(file_id)):
            yield b"".join(read_ranges(self._transport, url))

    def _readable(self, file_id: int | str) -> Readable:
        return self._transport.get(f"{self._url}/{quote(str(file_id), safe='')}", Readable, {"federationToken": 1})

    def _urls(self, file: Readable) -> list[str]:
        """Return the addresses of its blobs."""
        if not file.is_sliced:
            return [file.url]
        if file.abs_path is None or file.abs_credentials is None:
            raise WrongProvider(file.provider)
        container = read_container(file.abs_path.container, file.abs_credentials)
        return [container.url_of(blob) for blob in self._slices(file, container)]

    def _slices(self, file: File, container: Container) -> list[str]:
        try:
            manifest = msgspec.json.decode(self._transport.get_bytes(file.url), type=Manifest)
        except msgspec.MsgspecError as error:
            raise NotAStack(file.url, f"the manifest of file {file.id} cannot be read ({error})") from error
        return [container.blob_of(entry.url) for entry in manifest.entries]
