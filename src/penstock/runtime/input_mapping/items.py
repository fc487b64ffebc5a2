"""What a configuration may say about its input, and what cannot be said together."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from penstock.runtime.documents import BadConfiguration, check_keys, read_item, read_list

WHERE = "container.storage.input"
FILES_AT_ONCE = 10
_KEYS = frozenset(("tables", "files", "read_only_storage_access"))
Count = Annotated[int, msgspec.Meta(ge=0, le=2**53)]


class TableItem(msgspec.Struct, frozen=True, kw_only=True):
    """Those at the end are for loads into workspaces, and say nothing about a file."""

    source: str = ""
    source_branch_id: str | int = ""
    destination: str = ""
    changed_since: str | int = ""
    days: Count = 0
    columns: list[str] = []
    column_types: list[dict[str, Any]] = []
    where_column: str = ""
    where_values: list[str | int | float | bool] = []
    where_operator: Literal["eq", "ne", ""] = "eq"
    limit: Count = 0
    overwrite: bool = False
    load_type: str = ""
    use_view: bool = False
    keep_internal_timestamp_column: bool = True
    file_type: str = ""

    @property
    def chosen_columns(self) -> list[str]:
        return self.columns or [str(each["source"]) for each in self.column_types]


class FileItem(msgspec.Struct, frozen=True, kw_only=True):
    file_ids: list[str | int] = []
    tags: list[str] = []
    source: dict[str, list[dict[str, str]]] = {}
    query: str = ""
    limit: Count = FILES_AT_ONCE
    overwrite: bool = True
    processed_tags: list[str] = []
    changed_since: str | int = ""

    @property
    def source_tags(self) -> list[tuple[str, str]]:
        """Name and match of each."""
        found = self.source.get("tags", [])
        return [(each.get("name", ""), each.get("match", "include")) for each in found]


class InputItems(msgspec.Struct, frozen=True):
    tables: list[TableItem]
    files: list[FileItem]


def read_items(wanted: dict[str, Any]) -> InputItems:
    check_keys(wanted, _KEYS, WHERE)
    tables = [
        _checked_table(read_item(each, TableItem, f"{WHERE}.tables.{number}"), f"{WHERE}.tables.{number}")
        for number, each in enumerate(read_list(wanted, "tables", WHERE))
    ]
    files = [
        _checked_file(read_item(each, FileItem, f"{WHERE}.files.{number}"), f"{WHERE}.files.{number}")
        for number, each in enumerate(read_list(wanted, "files", WHERE))
    ]
    return InputItems(tables, files)


def _checked_table(item: TableItem, where: str) -> TableItem:
    if not item.source:
        raise BadConfiguration(f'"{where}" needs a "source": the id of the table to read.')
    if item.days and item.changed_since:
        raise BadConfiguration(f'"{where}": Cannot set both parameters "days" and "changed_since".')
    if bool(item.where_column) != bool(item.where_values):
        raise BadConfiguration(f'"{where}" needs both "where_column" and "where_values", or neither.')
    if any(not isinstance(each.get("source"), str) or not each["source"] for each in item.column_types):
        raise BadConfiguration(f'"{where}": every item of "column_types" needs a "source", the name of a column.')
    if item.columns and item.column_types and set(item.columns) != {each["source"] for each in item.column_types}:
        raise BadConfiguration(f'"{where}": "columns" and "column_types" must name the same columns.')
    return item


def _checked_file(item: FileItem, where: str) -> FileItem:
    check_keys(item.source, frozenset(("tags",)), f"{where}.source")
    if not (item.file_ids or item.tags or item.source_tags or item.query):
        raise BadConfiguration(f'"{where}" needs one of "file_ids", "tags", "source.tags" and "query".')
    if item.tags and item.source_tags:
        raise BadConfiguration(f'"{where}": Both "tags" and "source.tags" cannot be defined.')
    if item.file_ids and (item.tags or item.source_tags or item.query or item.changed_since):
        raise BadConfiguration(f'"{where}" has "file_ids": they name the files, and nothing else may choose them.')
    if item.query and item.changed_since:
        raise BadConfiguration(f'"{where}": "changed_since" is not supported together with "query".')
    for name, match in item.source_tags:
        if not name or match not in ("include", "exclude"):
            raise BadConfiguration(f'"{where}.source.tags": a tag has a "name", and "match" is include or exclude.')
    if item.source_tags and all(match == "exclude" for _, match in item.source_tags):
        raise BadConfiguration(f'"{where}.source.tags" needs at least one tag to include.')
    return item
