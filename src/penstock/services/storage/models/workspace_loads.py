"""What goes into a workspace and out of it, as requested and returned."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from penstock.foundation.limits import Columns, Filters, Names, Values
from penstock.foundation.structs import Wire
from penstock.services.storage.models import Number
from penstock.services.storage.models.queries import RowsQuery, WhereFilter
from penstock.sql import WorkspaceTable

INPUTS = 1_000
"""Tables or files in one load."""
NAME_CHARACTERS = 255


class LoadColumn(Wire, frozen=True):
    """A column, and what it becomes in the workspace: another name, another type."""

    source: str = ""
    """Name of the column in the project table."""
    destination: str = ""
    """Its name in the workspace. Without it, the same."""
    type: str = ""
    """Its type in the workspace, such as `NUMBER`. Without it, that of the table."""
    length: str | int | None = None
    """Length of the type, such as `255` or `38,2`."""
    nullable: bool = True
    """Whether the column may be NULL."""
    convert_empty_values_to_null: bool = False
    """Whether empty texts become NULL."""


class LoadInput(Wire, frozen=True):
    """A project table that is loaded, and the name of its copy; or a file, and its folder in a workspace of files."""

    source: str = ""
    """Id of the table to load."""
    destination: str = ""
    """Name of the table in the workspace or, for a file, of its folder."""
    data_file_id: str | int | None = None
    """Id of the file to load, instead of a table. Only into workspaces of files."""
    columns: Columns[str | LoadColumn] = []
    """The columns to load: names, or objects with another name or type. Without them, all."""
    rows: Number = 0
    """The highest number of rows to load. 0 means all."""
    changed_since: str | int = ""
    """Only rows that were changed at this time or later: Unix seconds, an ISO 8601 time, or a text such as `-2
    days`."""
    changed_until: str | int = ""
    """Only rows that were changed before this time, written in the same way."""
    seconds: Number = 0
    """Only rows that were changed in the last so many seconds. `changedSince` replaces it."""
    days: Number = 0
    """Only rows that were changed in the last so many days. `changedSince` replaces it."""
    where_column: str = ""
    """Name of the column of a single filter."""
    where_operator: str = "eq"
    """Operator of the single filter: `eq`, `ne`, `gt`, `ge`, `lt` or `le`."""
    where_values: Values[Any] = []
    """Values of the single filter."""
    where_filters: Filters[WhereFilter] = []
    """Conditions that rows have to meet, all of them."""
    incremental: bool = False
    """Whether the rows are added to a table that the workspace has."""
    overwrite: bool = False
    """Whether a table that the workspace has is replaced."""
    load_type: str = ""
    """`COPY` copies the rows, `CLONE` shares them until they are changed, `VIEW` reads the project table at each query,
    and `AUTO` copies. Only whole tables are cloned or viewed; others are copied."""
    source_branch_id: str | int | None = None
    """Id of the branch that the table is read from. Without it, the branch of the workspace."""
    primary_key: Any = None
    """Accepted and not used: tables of a workspace have no keys."""
    drop_timestamp_column: bool = False
    """Whether a cloned table has no column `_timestamp`."""
    use_view: bool = False
    """Whether the project table is read at each query instead, as with the load type `VIEW`."""

    @property
    def rows_query(self) -> RowsQuery:
        return RowsQuery(
            limit=self.rows,
            changed_since=self._since,
            changed_until=self.changed_until,
            where_column=self.where_column,
            where_operator=self.where_operator,
            where_values=self.where_values,
            where_filters=self.where_filters,
        )

    @property
    def _since(self) -> str | int:
        if self.seconds or self.days:
            return f"-{self.days * 86_400 + self.seconds} seconds"
        return self.changed_since


class LoadRequest(Wire, frozen=True):
    """Without `preserve` the workspace is emptied first."""

    input: Annotated[list[LoadInput], msgspec.Meta(max_length=INPUTS)] = []
    """The tables or files to load, at most 1000."""
    preserve: bool = False
    """Whether the workspace keeps what it has. Otherwise it is emptied first."""


class MappingColumn(msgspec.Struct, frozen=True, kw_only=True):
    """A column of an input mapping, with its name and type in the workspace."""

    source: str = ""
    """Name of the column in the project table."""
    destination: str = ""
    """Its name in the workspace. Without it, the same."""
    type: str = ""
    """Its type in the workspace, such as `NUMBER`. Without it, that of the table."""
    length: str | int | None = None
    """Length of the type, such as `255` or `38,2`."""
    nullable: bool = True
    """Whether the column may be NULL."""
    convert_empty_values_to_null: bool = False
    """Whether empty texts become NULL."""

    def to_column(self) -> LoadColumn:
        return LoadColumn(**msgspec.structs.asdict(self))


class MappingInput(msgspec.Struct, frozen=True, kw_only=True):
    """A table of an input mapping, as configurations have it."""

    source: str = ""
    """Id of the table to load."""
    destination: str = ""
    """Name of the table in the workspace."""
    columns: Columns[str] = []
    """Names of the columns to load. Without them, those of `column_types`, or else all."""
    column_types: Columns[MappingColumn] = []
    """Columns that have another name or type in the workspace."""
    limit: Number = 0
    """The highest number of rows to load. 0 means all."""
    changed_since: str | int = ""
    """Only rows that were changed at this time or later: Unix seconds, an ISO 8601 time, or a text such as `-2
    days`."""
    days: Number = 0
    """Only rows that were changed in the last so many days. `changed_since` replaces it."""
    where_column: str = ""
    """Name of the column of the filter."""
    where_operator: str = "eq"
    """Operator of the filter: `eq`, `ne`, `gt`, `ge`, `lt` or `le`."""
    where_values: Values[Any] = []
    """Values of the filter."""
    overwrite: bool = False
    """Whether a table that the workspace has is replaced."""
    use_view: bool = False
    """Whether the project table is read at each query instead. Only for whole tables."""

    def to_input(self) -> LoadInput:
        typed = {each.source: each for each in self.column_types}
        names = self.columns or list(typed)
        columns = [typed[name].to_column() if name in typed else name for name in names]
        return LoadInput(
            source=self.source,
            destination=self.destination,
            columns=columns,
            rows=self.limit,
            changed_since=self.changed_since,
            days=self.days,
            where_column=self.where_column,
            where_operator=self.where_operator,
            where_values=self.where_values,
            overwrite=self.overwrite,
            use_view=self.use_view,
        )


class MappingRequest(Wire, frozen=True):
    input: Annotated[list[MappingInput], msgspec.Meta(max_length=INPUTS)] = []
    """The tables to load, at most 1000."""
    preserve: bool = False
    """Whether the workspace keeps what it has. Otherwise it is emptied first."""

    def to_load(self) -> LoadRequest:
        return LoadRequest(input=[each.to_input() for each in self.input], preserve=self.preserve)


class UnloadRequest(Wire, frozen=True):
    """`only`: only tables that were granted to the workspace for writing. There are none in this stack."""

    only: bool = False
    """Whether only tables are written that were granted to the workspace. There are none in this stack."""
    only_direct_grants: bool = msgspec.field(default=False, name="only-direct-grants")
    """Another name of `only`."""


class TableExportRequest(Wire, frozen=True):
    table_name: str = ""
    """Name of the table in the workspace. Required."""
    file_name: str = ""
    """Name of the new file. Without it, the name of the table with its suffix."""
    file_type: str = ""
    """`csv` or `parquet`. Empty means `csv`."""
    gzip: str | int | bool = ""
    """Whether a CSV file is compressed with gzip. An empty text means no."""

    @property
    def is_gzipped(self) -> bool:
        return str(self.gzip).lower() in ("1", "true")


class QueryRequest(Wire, frozen=True):
    query: str = ""
    """One SQL statement, in the dialect of Snowflake."""


class QueryData(Wire, frozen=True):
    columns: list[str]
    rows: list[dict[str, str | None]]


class QueryResult(Wire, frozen=True):
    """The result of one statement. An error of the statement is a result too."""

    status: str
    data: QueryData | msgspec.UnsetType = msgspec.UNSET
    message: str | msgspec.UnsetType = msgspec.UNSET


class ObjectNames(Wire, frozen=True):
    objects: Names[str] = []
    """Names of the tables and views to drop."""


class ObjectColumn(Wire, frozen=True):
    name: str
    type: str
    nullable: bool


class WorkspaceObject(Wire, frozen=True):
    """A table or a view of a workspace."""

    name: str
    type: str
    columns: list[ObjectColumn]


def object_view(table: WorkspaceTable) -> WorkspaceObject:
    columns = [ObjectColumn(name=each.name, type=each.type, nullable=each.nullable) for each in table.columns]
    return WorkspaceObject(name=table.name, type="VIEW" if table.is_view else "TABLE", columns=columns)
