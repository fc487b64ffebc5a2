"""The bytes of files, at the blob endpoint of a stack: uploaded in blocks, downloaded in ranges.

Neither needs more memory than one block, and after a lost connection only one block is sent again.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, BinaryIO
from urllib.parse import quote

import msgspec

from penstock.client.errors import ClientError, RequestRefused
from penstock.client.transport import Transport
from penstock.foundation.structs import Wire

if TYPE_CHECKING:
    from penstock.client.transport import Response

OnBytes = Callable[[int], None]
"""Called with the number of bytes that were transferred since the last call."""

BLOCK_BYTES = 8 * 1024 * 1024
RANGE_BYTES = 32 * 1024 * 1024
_REPLACED, _NOT_SATISFIABLE = 412, 416


class Credentials(Wire, frozen=True):
    connection: str = msgspec.field(name="SASConnectionString")


class Container(msgspec.Struct, frozen=True):
    """Where the blobs of one file are."""

    endpoint: str
    name: str
    signature: str

    def url_of(self, blob: str) -> str:
        return f"{self.endpoint}/{self.name}/{quote(blob)}?{self.signature}"

    def blob_of(self, url: str) -> str:
        """The blob of an address in a manifest, whatever its scheme and host."""
        return url.partition(f"/{self.name}/")[2]


def read_container(name: str, credentials: Credentials) -> Container:
    split = [part.partition("=") for part in credentials.connection.split(";")]
    parts = {key: value for key, _, value in split}
    return Container(parts.get("BlobEndpoint", ""), name, parts.get("SharedAccessSignature", ""))


def ignore_bytes(_: int) -> None:
    """Serve callers that show no progress."""


class WrongProvider(ClientError):
    status = 501

    def __init__(self, provider: str) -> None:
        super().__init__(
            f"The files of this stack are stored by the provider {provider!r}; this client only supports 'azure', "
            "the protocol of Penstock's own files."
        )


def upload(transport: Transport, url: str, source: BinaryIO, on_bytes: OnBytes) -> None:
    """The rest of the source. The blob exists only after all of its blocks have arrived."""
    blocks = _blocks(source)
    first, second = next(blocks, b""), next(blocks, None)
    if second is None:
        transport.put_blob(url, first, {"x-ms-blob-type": "BlockBlob"})
        on_bytes(len(first))
        return
    every = enumerate(chain((first, second), blocks))
    names = [_put_block(transport, url, number, block, on_bytes) for number, block in every]
    listed = "".join(f"<Latest>{name}</Latest>" for name in names)
    transport.put_blob(f"{url}&comp=blocklist", f"<BlockList>{listed}</BlockList>".encode(), {})


def _blocks(source: BinaryIO) -> Iterator[bytes]:
    while block := source.read(BLOCK_BYTES):
        yield block


def _put_block(transport: Transport, url: str, number: int, block: bytes, on_bytes: OnBytes) -> str:
    name = base64.b64encode(f"{number:08}".encode()).decode()
    transport.put_blob(f"{url}&comp=block&blockid={quote(name)}", block, {})
    on_bytes(len(block))
    return name


def download(transport: Transport, url: str, target: BinaryIO, on_bytes: OnBytes) -> None:
    """The whole blob."""
    for body in read_ranges(transport, url):
        target.write(body)
        on_bytes(len(body))


def read_ranges(transport: Transport, url: str, *, is_public: bool = True) -> Iterator[bytes]:
    """A whole blob, in chunks, which are all of the same version. A public address is signed: it needs no token."""
    start, total, version = 0, 1, ""
    while start < total:
        response = _read_range(transport, url, start, version, is_public)
        if response is None:
            return
        body, size = _read_body(response, start)
        if start and size != total:
            raise RequestRefused(url, _REPLACED, "The file was replaced while it was downloaded.")
        yield body
        start, total, version = start + len(body), size, response.headers.get("ETag") or ""


def _read_range(transport: Transport, url: str, start: int, version: str, is_public: bool) -> Response | None:
    """The response with the bytes from there on; None if the blob is empty."""
    try:
        return transport.get_range(url, start, RANGE_BYTES, version, is_public=is_public)
    except RequestRefused as error:
        if error.status == _NOT_SATISFIABLE and start == 0:
            return None
        raise


def _read_body(response: Response, start: int) -> tuple[bytes, int]:
    """The bytes from there on, and the size of the whole blob."""
    if response.status != 206:
        return response.body[start:], len(response.body)
    return response.body, int(response.headers["Content-Range"].rpartition("/")[2])
