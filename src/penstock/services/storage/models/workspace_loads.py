"""What goes into a workspace and out of it, as requested and returned."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from penstock.foundation.limits import Columns, Filters, Names, Values
from penstock.services.storage.models import Number, Wire
from penstock.services.storage.models.queries import RowsQuery, WhereFilter
from penstock.sql import WorkspaceTable

INPUTS = 1_000
"""Tables or files in one load."""
NAME_CHARACTERS = 255


class LoadColumn(Wire, frozen=True):
    """A column, and what it becomes in the workspace: another name, another type."""

    source: str = ""
    destination: str = ""
    type: str = ""
    length: str | int | None = None
    nullable: bool = True
    convert_empty_values_to_null: bool = False


class LoadInput(Wire, frozen=True):
    """A project table that is loaded, and the name of its copy; or a file, and its folder in a workspace of files."""

    source: str = ""
    destination: str = ""
    data_file_id: str | int | None = None
    columns: Columns[str | LoadColumn] = []
    rows: Number = 0
    changed_since: str | int = ""
    changed_until: str | int = ""
    seconds: Number = 0
    """Rows changed in the last so many seconds; the old way to say `changedSince`, like `days`."""
    days: Number = 0
    where_column: str = ""
    where_operator: str = "eq"
    where_values: Values[Any] = []
    where_filters: Filters[WhereFilter] = []
    incremental: bool = False
    overwrite: bool = False
    load_type: str = ""
    source_branch_id: str | int | None = None
    primary_key: Any = None
    """Accepted and not used: tables of a workspace have no keys."""
    drop_timestamp_column: bool = False
    use_view: bool = False

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
    preserve: bool = False


class MappingColumn(msgspec.Struct, frozen=True, kw_only=True):
    """As in an input mapping."""

    source: str = ""
    destination: str = ""
    type: str = ""
    length: str | int | None = None
    nullable: bool = True
    convert_empty_values_to_null: bool = False

    def to_column(self) -> LoadColumn:
        return LoadColumn(**msgspec.structs.asdict(self))


class MappingInput(msgspec.Struct, frozen=True, kw_only=True):
    """A table of an input mapping, as configurations have it."""

    source: str = ""
    destination: str = ""
    columns: Columns[str] = []
    column_types: Columns[MappingColumn] = []
    limit: Number = 0
    changed_since: str | int = ""
    days: Number = 0
    where_column: str = ""
    where_operator: str = "eq"
    where_values: Values[Any] = []
    overwrite: bool = False
    use_view: bool = False

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
    preserve: bool = False

    def to_load(self) -> LoadRequest:
        return LoadRequest(input=[each.to_input() for each in self.input], preserve=self.preserve)


class UnloadRequest(Wire, frozen=True):
    """`only`: only tables that were granted to the workspace for writing. There are none in this stack."""

    only: bool = False
    only_direct_grants: bool = msgspec.field(default=False, name="only-direct-grants")


class TableExportRequest(Wire, frozen=True):
    table_name: str = ""
    file_name: str = ""
    file_type: str = ""
    gzip: str | int | bool = ""
    """One client sends an empty text where it means no."""

    @property
    def is_gzipped(self) -> bool:
        return str(self.gzip).lower() in ("1", "true")


class QueryRequest(Wire, frozen=True):
    query: str = ""


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
