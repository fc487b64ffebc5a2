"""Which rows of a table to use: in a preview, an export, a deletion, a load into a workspace."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from penstock.foundation.limits import Columns, Filters, Values
from penstock.services.storage.models import Number, Wire


class WhereFilter(Wire, frozen=True):
    """One condition; it matches any of the values."""

    column: str = ""
    operator: str = "eq"
    values: Values[Any] = []
    data_type: str = ""


class OrderBy(Wire, frozen=True):
    column: str = ""
    order: str = "ASC"
    data_type: str = ""


class RowsQuery(Wire, frozen=True):
    """`columns` is a comma-separated list or a list; `whereColumn` and the others are the old way to send one
    filter."""

    columns: str | Columns[str] = ""
    limit: Annotated[int, msgspec.Meta(ge=0)] = 0
    """0 means no limit: one client always sends it."""
    changed_since: str | int = ""
    changed_until: str | int = ""
    where_column: str = ""
    where_operator: str = "eq"
    where_values: Values[Any] = []
    where_filters: Filters[WhereFilter] = []
    order_by: Filters[OrderBy] = []
    fulltext_search: str = ""


class PreviewQuery(RowsQuery, frozen=True):
    format: str = "rfc"


class ExportRequest(RowsQuery, frozen=True):
    gzip: bool = False
    format: str = "rfc"
    file_type: str = "csv"
    include_internal_timestamp: bool = False


class DeletionRequest(RowsQuery, frozen=True):
    allow_truncate: bool = False


class CsvOptions(Wire, frozen=True):
    """The format of a CSV file; only one of the last two may be given and not empty."""

    delimiter: str = ","
    enclosure: str | UnsetType = UNSET
    """No default here: an explicit double quote together with `escapedBy` is an error, an implied one is not."""
    escaped_by: str = ""


class ImportRequest(CsvOptions, frozen=True):
    data_file_id: str | int | None = None
    data_url: str = ""
    snapshot_id: str | int | None = None
    source_table_id: str = ""
    timestamp: str | int = ""
    data_workspace_id: str | int | None = None
    data_table_name: str = ""
    data_object: str = ""
    """The table of the workspace; both mean the same."""
    columns: Columns[str] = []
    incremental: bool = False
    without_headers: bool = False
    ignored_lines_count: Number = 0
    treat_values_as_null: Filters[str] | None = None
    data_string: str = ""
    data: str = ""
    """Rows in the body of a synchronous request: as text, or as the file of a form."""
    deduplication_strategy: Literal["upsert", "insert"] = "upsert"

    @property
    def workspace_table(self) -> str:
        return self.data_table_name or self.data_object


class TableFromData(ImportRequest, frozen=True):
    """`primaryKey` is a comma-separated list here, and nothing else."""

    name: str = ""
    primary_key: Any = ""
    display_name: str = ""
    is_typed: bool = False
    """Whether the table has the types of the workspace's columns."""
