"""Files as stored, prepared, searched and returned.

A file consists of blobs in its own container: one, or slices with a manifest that lists them.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import UNSET, UnsetType

from penstock.foundation.limits import Searched, Tags
from penstock.foundation.structs import Wire
from penstock.services.storage.models import Number, TokenRef, to_text

TAG_CHARACTERS, NAME_CHARACTERS = 1000, 1000
Tag = Annotated[str, msgspec.Meta(min_length=1, max_length=TAG_CHARACTERS)]
SentTag = Annotated[str, msgspec.Meta(max_length=TAG_CHARACTERS)]
"""An optional string as clients send it with a file; an empty one means None."""
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=NAME_CHARACTERS)]


class FileRow(msgspec.Struct, frozen=True, kw_only=True):
    """A file as stored. Its bytes are in its blobs, see models/blobs.py."""

    id: int
    project_id: int
    branch_id: int
    name: str
    size_bytes: int | None
    tags: list[str]
    is_sliced: bool
    is_public: bool
    max_age_days: int | None
    """None for a file that is stored until it is deleted."""
    created: datetime
    expires: datetime | None
    is_emptied: bool = False
    """Whether its bytes were removed because it expired."""
    run_id: str | None = None
    token_id: int
    token_description: str

    @property
    def container(self) -> str:
        """The container of its blobs, in the terms of the blob endpoint. Each file has its own."""
        kept = f"exp-{self.max_age_days}" if self.max_age_days is not None else "permanent"
        return f"{kept}-files-{self.project_id}-{self.id}-{self.created:%Y-%m-%d}"

    @property
    def manifest_name(self) -> str:
        return f"{self.name}manifest"

    @property
    def first_blob(self) -> str:
        """The blob to read first: the bytes, or the manifest of the slices."""
        return self.manifest_name if self.is_sliced else self.name


class NewFile(Wire, frozen=True):
    name: Name
    """Name of the file. `.gz` at its end says that its content is compressed with gzip."""
    size_bytes: Number | None = None
    """Size of the file in bytes, if it is known."""
    tags: Tags[SentTag] = []
    """Tags to find the file by."""
    federation_token: bool = False
    """Whether the response has credentials for the file storage, to upload the bytes directly."""
    is_sliced: bool = False
    """Whether the file consists of several parts, which a manifest lists."""
    is_public: bool = False
    """Whether the file is marked as public. Reading it needs credentials all the same."""
    is_permanent: bool = False
    """Whether the file is stored until it is deleted. Otherwise it expires."""


class FileQuery(Wire, frozen=True):
    limit: Number = 100
    """The highest number of files to return, at most 1000."""
    offset: Number = 0
    tags: Searched[str] | str = []
    """Tags of which a file has to have at least one."""
    q: str = ""
    """A search such as `tags:"orders" AND NOT name:test*`. Plain words match names and tags."""
    run_id: str = ""
    """Only files of this run."""
    since_id: Number | None = None
    """Only files with a higher id than this one."""
    max_id: Number | None = None
    """Only files with a lower id than this one."""
    show_expired: bool = False
    """Whether files are listed that have expired."""


class DetailQuery(Wire, frozen=True):
    federation_token: bool = False
    """Whether the response has credentials to download the bytes."""


class NewTag(Wire, frozen=True):
    tag: Tag
    """The tag to add. Upper and lower case are told apart."""


class FileSource(msgspec.Struct, frozen=True):
    """A file that an import reads."""

    paths: tuple[Path, ...]
    """One path, or those of the slices in the order of the manifest."""
    is_sliced: bool
    is_gzipped: tuple[bool, ...]
    size_bytes: int


class AbsCredentials(Wire, frozen=True):
    """The credentials of a client of the blob endpoint."""

    connection: str = msgspec.field(name="SASConnectionString")
    expiration: str


class AbsUpload(Wire, frozen=True):
    """Where to upload to: official clients send the bytes there directly."""

    blob_name: str
    account_name: str
    container: str
    abs_credentials: AbsCredentials


class AbsPath(msgspec.Struct, frozen=True):
    container: str
    name: str


class File(Wire, frozen=True):
    id: int
    """Id of the file."""
    created: str
    """When it was created."""
    name: str
    """Name of the file."""
    file_type: str
    """What follows the last dot of the name."""
    url: str
    """Address of the bytes, which is valid for a while; of a sliced file that of the manifest."""
    size_bytes: int | None
    """Size in bytes, if it is known."""
    tags: list[str]
    """Its tags."""
    is_public: bool
    """Whether it is marked as public."""
    is_sliced: bool
    """Whether it consists of several parts, which a manifest lists."""
    max_age_days: int | None
    """Days until it expires. Null: it is stored until it is deleted."""
    run_id: str | None
    """Id of the run that created it."""
    run_ids: list[str]
    creator_token: TokenRef
    """The token that created it."""
    is_encrypted: bool = True
    provider: str = "azure"
    region: str = "local"
    abs_upload_params: AbsUpload | UnsetType = UNSET
    """Where and with what credentials its bytes are uploaded."""
    abs_path: AbsPath | UnsetType = UNSET
    """Where its bytes are."""
    abs_credentials: AbsCredentials | UnsetType = UNSET
    """Credentials to download its bytes."""


def file_view(row: FileRow, url: str) -> File:
    return File(
        id=row.id,
        created=to_text(row.created),
        name=row.name,
        file_type=Path(row.name).suffix.lstrip("."),
        url=url,
        size_bytes=row.size_bytes,
        tags=row.tags,
        is_public=row.is_public,
        is_sliced=row.is_sliced,
        max_age_days=row.max_age_days,
        run_id=row.run_id,
        run_ids=[row.run_id] if row.run_id else [],
        creator_token=TokenRef(row.token_id, row.token_description),
    )
