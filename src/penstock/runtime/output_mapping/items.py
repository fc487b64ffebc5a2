"""What a configuration and a manifest may say about a table or a file that goes out.

In a configuration a key that is not here is a mistake. In a manifest it may be a newer library's, and says nothing.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from penstock.foundation.limits import COLUMNS, METADATA_ITEMS, Columns, Filters, MetadataItems, Tags, Values

TableModifications = Literal["none", "non-destructive", "all", ""]
"""How a load may change the columns of an existing typed table; `non-destructive`: to wider types."""
Scalar = str | int | float | bool | None
MetadataMap = Annotated[dict[str, Scalar], msgspec.Meta(max_length=METADATA_ITEMS)]


class Item(msgspec.Struct, frozen=True, kw_only=True):
    key: str
    value: Scalar = ""


class FromStorage(msgspec.Struct, frozen=True, kw_only=True):
    bucket_id: str
    table: str
    column: str = ""


class WhereFilter(msgspec.Struct, frozen=True, kw_only=True):
    column: str
    operator: Literal["eq", "ne"] = "eq"
    values_from_set: Values[Scalar] | None = None
    values_from_storage: FromStorage | None = None
    values_from_workspace: dict[str, Any] | None = None


class DeleteRule(msgspec.Struct, frozen=True, kw_only=True):
    changed_since: str | int | None = ""
    changed_until: str | int | None = ""
    where_filters: Filters[WhereFilter] | None = []


class DataType(msgspec.Struct, frozen=True, kw_only=True):
    type: str = ""
    length: str | int | None = None
    default: Scalar = None


class SchemaColumn(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    data_type: dict[str, DataType] | None = None
    nullable: bool | None = True
    primary_key: bool | None = False
    distribution_key: bool | None = False
    description: str | None = ""
    metadata: MetadataMap | None = None


class TableItem(msgspec.Struct, frozen=True, kw_only=True):
    source: str = ""
    destination: str = ""
    incremental: bool = False
    primary_key: Columns[str] = []
    columns: Columns[str] = []
    distribution_key: Columns[str] = []
    delete_where: Filters[DeleteRule] = []
    delete_where_column: str = ""
    delete_where_values: Values[Scalar] = []
    delete_where_operator: Literal["eq", "ne", ""] = "eq"
    delimiter: str = ","
    enclosure: str = '"'
    metadata: MetadataItems[Item] = []
    column_metadata: Annotated[dict[str, MetadataItems[Item]], msgspec.Meta(max_length=COLUMNS)] = {}
    write_always: bool = False
    deduplication_strategy: Literal["insert", "upsert"] = "upsert"
    tags: Tags[str] = []
    manifest_type: str = ""
    has_header: bool | None = None
    description: str = ""
    table_metadata: MetadataMap = {}
    schema: Columns[SchemaColumn] = []
    unload_strategy: str = ""
    treat_values_as_null: Values[str] | None = None
    """Not in the original, which has it for all tables together; so is the next one."""
    table_modifications: TableModifications | None = None


class FileItem(msgspec.Struct, frozen=True, kw_only=True):
    source: str = ""
    tags: Tags[str] = []
    is_public: bool = False
    is_permanent: bool = False
    is_encrypted: bool = True
    notify: bool = False
