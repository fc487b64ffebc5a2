"""The forms that clients send, and the result of a load."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import UNSET, UnsetType

from penstock.foundation.limits import Columns, Tags
from penstock.services.storage.interface import TAG_CHARACTERS, UPLOAD_DAYS, ImportRequest, NewUpload

Bytes = Annotated[str, msgspec.Meta(extra_json_schema={"format": "binary"})]
Tag = Annotated[str, msgspec.Meta(max_length=TAG_CHARACTERS)]


class TableForm(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Rows for a table that exists."""

    data: Bytes = ""
    """The part of this name is written to a file, and never a field."""
    table_id: str
    branch_id: str = ""
    incremental: bool = False
    columns: Columns[str] = []
    delimiter: str = ","
    enclosure: str | UnsetType = UNSET
    escaped_by: str = ""

    def to_import(self) -> ImportRequest:
        return ImportRequest(
            columns=self.columns,
            incremental=self.incremental,
            delimiter=self.delimiter,
            enclosure=self.enclosure,
            escaped_by=self.escaped_by,
        )


class FileForm(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A file for Storage: as a part with a name, or as text with `name`."""

    data: Bytes = ""
    name: str = ""
    branch_id: str = ""
    tags: Tags[Tag] = []
    is_public: bool = False
    is_permanent: bool = False
    notify: bool = False
    """Accepted and ignored, as Storage does."""

    def to_upload(self, name: str) -> NewUpload:
        return NewUpload(
            name=name,
            tags=[tag for tag in self.tags if tag],
            max_age_days=None if self.is_permanent else UPLOAD_DAYS,
            is_public=self.is_public,
        )


class LoadResults(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What the job of Storage says of it. Its `transaction` is a boolean, which clients of this host do not expect."""

    warnings: list[str] = []
    imported_columns: list[str]
    total_rows_count: int
    total_data_size_bytes: int

    def to_loaded(self) -> Loaded:
        return Loaded(**msgspec.structs.asdict(self))


class Loaded(LoadResults, frozen=True, kw_only=True):
    """The result of a load, as clients of this host expect it."""

    transaction: str = ""
