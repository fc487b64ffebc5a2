"""The items of the input mapping: what a configuration may specify, which settings exclude each other, and names of
files in it. No name leads out of the folder that it is meant for."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from penstock.runtime.documents import BadConfiguration, check_keys, read_item, read_list
from penstock.runtime.written import MANIFEST, is_text

WHERE = "container.storage.input"
FILES_AT_ONCE = 10
_KEYS = frozenset(("tables", "files", "read_only_storage_access"))
Count = Annotated[int, msgspec.Meta(ge=0, le=2**53)]


NAME_BYTES = 255 - len(MANIFEST)
_FORBIDDEN = ("/", "\\", "\0")


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
        return self.columns or [str(column["source"]) for column in self.column_types]


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
        """Return the name and the match of each tag."""
        tags = self.source.get("tags", [])
        return [(tag.get("name", ""), tag.get("match", "include")) for tag in tags]


class InputItems(msgspec.Struct, frozen=True):
    tables: list[TableItem]
    files: list[FileItem]


def read_items(section: dict[str, Any]) -> InputItems:
    check_keys(section, _KEYS, WHERE)
    tables = [
        _checked_table(read_item(item, TableItem, f"{WHERE}.tables.{number}"), f"{WHERE}.tables.{number}")
        for number, item in enumerate(read_list(section, "tables", WHERE))
    ]
    files = [
        _checked_file(read_item(item, FileItem, f"{WHERE}.files.{number}"), f"{WHERE}.files.{number}")
        for number, item in enumerate(read_list(section, "files", WHERE))
    ]
    return InputItems(tables, files)


def _checked_table(item: TableItem, where: str) -> TableItem:
    if not item.source:
        raise BadConfiguration(f'"{where}" needs a "source": the id of the table to read.')
    if item.days and item.changed_since:
        raise BadConfiguration(f'"{where}": Cannot set both parameters "days" and "changed_since".')
    if bool(item.where_column) != bool(item.where_values):
        raise BadConfiguration(f'"{where}" needs both "where_column" and "where_values", or neither.')
    if any(not isinstance(column.get("source"), str) or not column["source"] for column in item.column_types):
        raise BadConfiguration(f'"{where}": every item of "column_types" needs a "source", the name of a column.')
    if item.columns and item.column_types and set(item.columns) != {column["source"] for column in item.column_types}:
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


def reserve_path(folder: Path, name: str, names: set[str]) -> Path:
    """Return the path of a file of this name, and add it to `names`; refuse a name that is there already."""
    if not is_file_name(name):
        raise BadConfiguration(
            f'"{name[:300]}" is not a valid destination: it is the name of a file, without folders, of at most '
            f"{NAME_BYTES} bytes, that does not begin with a dot or end with {MANIFEST}."
        )
    if name in names:
        raise BadConfiguration(f'The destination "{name}" is there twice.')
    names.add(name)
    return folder / name


def is_file_name(name: str) -> bool:
    is_clear = is_text(name) and not any(sign in name for sign in _FORBIDDEN) and not name.startswith(".")
    return is_clear and 0 < len(name.encode()) <= NAME_BYTES and not name.endswith(MANIFEST)
