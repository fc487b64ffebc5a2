"""Which rows of a table to use: in a preview, an export, a deletion, a load into a workspace."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from penstock.foundation.limits import Columns, Filters, Values
from penstock.foundation.structs import Wire
from penstock.services.storage.models import Number


class WhereFilter(Wire, frozen=True):
    """A condition on a column."""

    column: str = ""
    """Name of the column to compare."""
    operator: str = "eq"
    """One of `eq`, `ne`, `gt`, `ge`, `lt` and `le`. `neq` means `ne`."""
    values: Values[Any] = []
    """The values to compare with. `eq` matches any of them and `ne` none of them; the other operators take one value.
    An empty text matches NULL too."""
    data_type: str = ""
    """The type that both sides are converted to before they are compared: `INTEGER`, `BIGINT`, `DOUBLE`, `REAL` or
    `DECIMAL`. Empty: they are compared as they are stored."""


class OrderBy(Wire, frozen=True):
    column: str = ""
    """Name of the column to sort by."""
    order: str = "ASC"
    """`ASC` or `DESC`."""
    data_type: str = ""
    """The type that the values are converted to before they are sorted: `INTEGER`, `BIGINT`, `DOUBLE`, `REAL` or
    `DECIMAL`. Empty: they are sorted as they are stored."""


class RowsQuery(Wire, frozen=True):
    """`columns` is a comma-separated list or a list; `whereColumn` and the others are the old way to send one
    filter."""

    columns: str | Columns[str] = ""
    """Names of the columns to return, in this order: a list, or a text with commas. Empty: all columns."""
    limit: Annotated[int, msgspec.Meta(ge=0)] = 0
    """The highest number of rows. 0 means that there is no limit or, in a preview, 100 rows; a preview has at most
    1000."""
    changed_since: str | int = ""
    """Only rows that were changed at this time or later: Unix seconds, an ISO 8601 time, or a text such as `-2
    days`."""
    changed_until: str | int = ""
    """Only rows that were changed before this time: Unix seconds, an ISO 8601 time, or a text such as `-2 days`."""
    where_column: str = ""
    """Name of the column of a single filter. `whereFilters` takes several."""
    where_operator: str = "eq"
    """Operator of the single filter: `eq`, `ne`, `gt`, `ge`, `lt` or `le`."""
    where_values: Values[Any] = []
    """Values of the single filter."""
    where_filters: Filters[WhereFilter] = []
    """Conditions that rows have to meet, all of them. Not together with `fulltextSearch`."""
    order_by: Filters[OrderBy] = []
    """The columns that the rows are sorted by, the most significant first."""
    fulltext_search: str = ""
    """A text that some column of a row has to contain. Not together with `whereFilters`."""


class PreviewQuery(RowsQuery, frozen=True):
    format: str = "rfc"
    """`rfc` returns CSV with a header, `json` the columns and the cells; cells of more than 16,384 characters are then
    cut, and say so."""


class ExportRequest(RowsQuery, frozen=True):
    gzip: bool = False
    """Whether the slices of the file are compressed with gzip. Not for Parquet."""
    format: str = "rfc"
    """`rfc` writes CSV without a header, `json` one JSON object per line. With `fileType` `parquet` it is `rfc`."""
    file_type: str = "csv"
    """`csv` or `parquet`."""
    include_internal_timestamp: bool = False
    """Whether the column `_timestamp`, the time of the last change of each row, is exported too."""


class DeletionRequest(RowsQuery, frozen=True):
    allow_truncate: bool = False
    """Whether all rows may be deleted. Without a filter and without this, the request is refused."""


class CsvOptions(Wire, frozen=True):
    """The format of a CSV file; only one of the last two may be given and not empty."""

    delimiter: str = ","
    """The character between fields, such as `,`, `;` or a tab."""
    enclosure: str | UnsetType = UNSET
    """The character around fields, by default a double quote. Empty: fields are not enclosed. Not together with
    `escapedBy`."""
    escaped_by: str = ""
    """The character after which the next one is literal. Not together with `enclosure`."""


class ImportRequest(CsvOptions, frozen=True):
    data_file_id: str | int | None = None
    """Id of a file of the project that holds the rows: CSV, compressed if its name ends with `.gz`. Either this or
    `dataWorkspaceId` is required."""
    data_url: str = ""
    """Refused: upload the file, and send its id as `dataFileId`."""
    snapshot_id: str | int | None = None
    """Id of a snapshot to create a table from. Only for new tables."""
    source_table_id: str = ""
    """Id of the table whose state at `timestamp` a new table is created from."""
    timestamp: str | int = ""
    """The time of the state to restore: Unix seconds, an ISO 8601 time, or a text such as `-2 days`. Together with
    `sourceTableId`."""
    data_workspace_id: str | int | None = None
    """Id of the workspace that holds the table to read. Together with `dataTableName`."""
    data_table_name: str = ""
    """Name of the table in the workspace to read."""
    data_object: str = ""
    """Another name of `dataTableName`."""
    columns: Columns[str] = []
    """Names of the columns in the order of the file, which then has no header."""
    incremental: bool = False
    """Whether the rows are added to those of the table; rows with the same primary key are updated. Otherwise they
    replace all rows."""
    without_headers: bool = False
    """Whether the file has no header. Its fields are then the columns of the table, in their order."""
    ignored_lines_count: Number = 0
    """How many lines at the beginning of the file are skipped. It takes precedence over `withoutHeaders`."""
    treat_values_as_null: Filters[str] | None = None
    """The texts that become NULL in a typed table; without it, the empty text does."""
    data_string: str = ""
    """The rows as CSV text, in the body of a synchronous request."""
    data: str = ""
    """The rows in the body of a synchronous request: as text, or as a file of a form."""
    deduplication_strategy: Literal["upsert", "insert"] = "upsert"
    """What an incremental load does with rows whose primary key exists: `upsert` updates them, `insert` adds all rows
    without looking."""

    @property
    def workspace_table(self) -> str:
        return self.data_table_name or self.data_object


class TableFromData(ImportRequest, frozen=True):
    """`primaryKey` is a comma-separated list here, and nothing else."""

    name: str = ""
    """Name of the table: letters, digits, `-` and `_`, at most 96 characters, the first not `_`."""
    primary_key: Any = ""
    """Names of the columns of the primary key, separated by commas. Empty: the table has none."""
    display_name: str = ""
    """Name that people see. Without it, it is the name."""
    is_typed: bool = False
    """Whether the table has the types of the workspace's columns. Only together with `dataWorkspaceId`."""
