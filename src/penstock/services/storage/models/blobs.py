"""Blobs hold the bytes of files; names follow the protocol that official clients use."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

import msgspec

from penstock.services.storage.models.files import FileRow
from penstock.services.storage.models.workspaces import WorkspaceRow

DEFAULT_TYPE = "application/octet-stream"
CONTENT_HEADERS = (
    *("content-type", "content-disposition", "content-encoding"),
    *("content-language", "content-md5", "cache-control"),
)
"""Content headers that a client may set on a blob; downloads return them."""
METADATA = "x-ms-meta-"
ENDPOINT = "penstock.blob.core.windows.net"
"""The path prefix of all blobs. It looks like a host name because official clients search addresses for its suffix."""


Owner = FileRow | WorkspaceRow
"""What a container belongs to: a file, or a workspace of files."""


class Permission(StrEnum):
    """A letter of the protocol."""

    READ = "r"
    WRITE = "w"
    DELETE = "d"
    LIST = "l"


class Access(StrEnum):
    """What a signature permits: the letters of its permissions."""

    READ = "rl"
    WRITE = "rwdl"


class Block(msgspec.Struct, frozen=True, array_like=True):
    """A piece that a blob was assembled from."""

    id: str
    size: int


class BlobRow(msgspec.Struct, frozen=True, kw_only=True):
    """A blob as stored. A new version has a new etag and a new content."""

    file_id: int
    """The id of its file, or of its workspace: ids of both come from one sequence."""
    name: str
    project_id: int
    content: str
    """The name of its bytes in the file's folder."""
    size_bytes: int
    etag: str
    content_type: str
    content_disposition: str | None
    blocks: bytes
    """JSON, a list of Blocks: a block list that is sent again finds its blocks here."""
    headers: dict[str, str]
    """Further headers that are returned with it: other content headers, metadata, and those of its copy."""
    created: datetime
    modified: datetime

    @property
    def content_headers(self) -> dict[str, str]:
        every = {
            **self.headers,
            "content-type": self.content_type,
            "content-disposition": self.content_disposition or "",
        }
        return {name: every[name] for name in CONTENT_HEADERS if every.get(name)}

    @property
    def metadata(self) -> dict[str, str]:
        return {name: value for name, value in self.headers.items() if name.startswith(METADATA)}

    def list_blocks(self) -> list[Block]:
        return msgspec.json.decode(self.blocks, type=list[Block])


class BlobHeaders(msgspec.Struct, frozen=True, kw_only=True):
    """What a client sets on a blob beside its bytes, and the conditions of the request."""

    content: dict[str, str] = {}
    """By the names in CONTENT_HEADERS."""
    metadata: dict[str, str] = {}
    copy: dict[str, str] = {}
    """Headers that describe the copy, if it was copied."""
    if_match: str | None = None
    if_none_match: str | None = None

    @property
    def kept(self) -> dict[str, str]:
        """What a blob has no column for."""
        own = ("content-type", "content-disposition")
        content = {name: value for name, value in self.content.items() if name not in own}
        return {**content, **self.metadata, **self.copy}

    def is_met_by(self, row: BlobRow) -> bool:
        return self.if_match is None or _names(self.if_match, row.etag)

    def forbids(self, row: BlobRow) -> bool:
        return self.if_none_match is not None and _names(self.if_none_match, row.etag)


class Listed(msgspec.Struct, frozen=True):
    """An entry of a block list and where to look for the block: `Latest` is a staged one, or one that the blob has."""

    place: str
    block_id: str


class ManifestEntry(msgspec.Struct, frozen=True):
    url: str


class Manifest(msgspec.Struct, frozen=True):
    entries: list[ManifestEntry]


def endpoint_of(storage_url: str) -> str:
    return f"{storage_url}/{ENDPOINT}"


def account_of(storage_url: str) -> str:
    """The account name that clients put between the scheme and `.blob.core.windows.net` to reach the endpoint."""
    return endpoint_of(storage_url).partition("://")[2].removesuffix(".blob.core.windows.net")


def to_entry(storage_url: str, container: str, blob: str) -> ManifestEntry:
    """The address of a slice in a manifest, as clients expect it: `azure` stands for https."""
    scheme, _, place = endpoint_of(storage_url).partition("://")
    return ManifestEntry(f"{'azure' if scheme == 'https' else scheme}://{place}/{container}/{blob}")


def _names(condition: str, etag: str) -> bool:
    tags = [tag.strip().removeprefix("W/") for tag in condition.split(",")]
    return "*" in tags or etag in tags or etag.strip('"') in tags
