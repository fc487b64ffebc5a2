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
    """The CSV file with the rows, as the part of the form with a file name."""
    table_id: str
    """Id of the table to load into, such as `in.c-shop.orders`. It must exist."""
    branch_id: str = ""
    """Id of the branch. Without it, Main."""
    incremental: bool = False
    """Whether the rows are added to those of the table; rows with the same primary key are updated. Otherwise they
    replace all rows."""
    columns: Columns[str] = []
    """Names of the columns in the order of the file, which then has no header."""
    delimiter: str = ","
    """The character between fields."""
    enclosure: str | UnsetType = UNSET
    """The character around fields, by default a double quote. Not together with `escapedBy`."""
    escaped_by: str = ""
    """The character after which the next one is literal. Not together with `enclosure`."""

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
    """The file, as a part of the form, or its content as text."""
    name: str = ""
    """Name of the file. Required if the content is sent as text."""
    branch_id: str = ""
    """Id of the branch. Without it, Main."""
    tags: Tags[Tag] = []
    """Tags to find the file by."""
    is_public: bool = False
    """Whether the file is marked as public. Reading it needs credentials all the same."""
    is_permanent: bool = False
    """Whether the file is stored until it is deleted. Otherwise it expires."""
    notify: bool = False
    """Accepted for compatibility, and not used."""

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
